@testable import Calotype

/// All files of a folder, to be put into others: sooner than storing the same entries again and again.
struct FolderCopy: Sendable {
    private struct File: Sendable {
        let name: String
        let content: Data
        let attributes: FileAttributes
    }

    private let files: [File]

    /// What is in a folder now.
    init(of folder: TemporaryFolder) throws {
        files = try folder.contents().compactMap { name -> File? in
            let path = folder.path(name)
            let attributes = try LocalFileSystem().attributes(of: path)
            guard attributes.kind == .file else { return nil }
            return File(name: name, content: try Data(contentsOf: URL(filePath: path)), attributes: attributes)
        }
    }

    /// Puts it into a folder in which nothing is yet.
    func write(to folder: TemporaryFolder) throws {
        let system = LocalFileSystem()
        for file in files {
            let path = folder.path(file.name)
            try system.createFolders(DiskCache.parent(of: path))
            try system.writeFile(
                [file.content], to: path, through: "\(path)-part", modificationTime: file.attributes.modificationTime,
                isReadOnly: file.attributes.isReadOnly, isDurable: false)
        }
    }
}
