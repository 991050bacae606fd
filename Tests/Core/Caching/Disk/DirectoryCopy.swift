@testable import Calotype

/// A copy of all files in a directory, for other directories. It is faster than storing the same entries repeatedly.
struct DirectoryCopy: Sendable {
    private struct File: Sendable {
        let name: String
        let content: Data
        let attributes: FileAttributes
    }

    private let files: [File]

    /// Copies the current contents of a directory.
    init(of directory: TemporaryDirectory) throws {
        files = try directory.contents().compactMap { name -> File? in
            let path = directory.path(name)
            let attributes = try LocalFileSystem().attributes(of: path)
            guard attributes.kind == .file else { return nil }
            return File(name: name, content: try Data(contentsOf: URL(filePath: path)), attributes: attributes)
        }
    }

    /// Writes the copy into an empty directory.
    func write(to directory: TemporaryDirectory) throws {
        let system = LocalFileSystem()
        for file in files {
            let path = directory.path(file.name)
            try system.createDirectories(DiskCache.parent(of: path))
            try system.writeFile(
                [file.content], to: path, through: "\(path)-part", modificationTime: file.attributes.modificationTime,
                isReadOnly: file.attributes.isReadOnly, isDurable: false)
        }
    }
}
