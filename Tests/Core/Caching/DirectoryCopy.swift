@testable import Calotype

/// All files of a directory, to be put into others: sooner than storing the same entries again and again.
struct DirectoryCopy: Sendable {
    private struct File: Sendable {
        let name: String
        let content: Data
        let attributes: FileAttributes
    }

    private let files: [File]

    /// What is in a directory now.
    init(of directory: TemporaryDirectory) throws {
        files = try directory.contents().compactMap { name -> File? in
            let path = directory.path(name)
            let attributes = try LocalFileSystem().attributes(of: path)
            guard attributes.kind == .file else { return nil }
            return File(name: name, content: try Data(contentsOf: URL(filePath: path)), attributes: attributes)
        }
    }

    /// Puts it into a directory in which nothing is yet.
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
