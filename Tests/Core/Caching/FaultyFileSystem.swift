import Calotype

/// The machine's file system, except where a test has it fail.
struct FaultyFileSystem: FileSystem {
    /// An operation, as the protocol names it.
    enum Operation {
        case contents, tail, attributes, items, writeFile, createFolders, removeFile, removeFolder, setModificationTime
    }

    /// The error number with which an operation fails on a path; nil to let it be.
    let fault: @Sendable (Operation, String) -> Int32?
    private let local = LocalFileSystem()

    init(fault: @escaping @Sendable (Operation, String) -> Int32?) { self.fault = fault }

    private func check(_ operation: Operation, _ path: String) throws(FileSystemError) {
        guard let code = fault(operation, path) else { return }
        throw FileSystemError(code: code, operation: "\(operation)", path: path)
    }

    func contents(of name: String, in folder: KeptFolder, byteLimit: Int) throws(FileSystemError) -> Data {
        try check(.contents, "\(folder.path)/\(name)")
        return try local.contents(of: name, in: folder, byteLimit: byteLimit)
    }

    func tail(of path: String, byteCount: Int) throws(FileSystemError) -> Data {
        try check(.tail, path)
        return try local.tail(of: path, byteCount: byteCount)
    }

    func attributes(of path: String) throws(FileSystemError) -> FileAttributes {
        try check(.attributes, path)
        return try local.attributes(of: path)
    }

    func items(in folder: String) throws(FileSystemError) -> [(name: String, attributes: FileAttributes)] {
        try check(.items, folder)
        return try local.items(in: folder)
    }

    func writeFile(
        _ pieces: [Data], to path: String, through temporaryPath: String, modificationTime: Double, isReadOnly: Bool
    ) throws(FileSystemError) {
        try check(.writeFile, path)
        try local.writeFile(
            pieces, to: path, through: temporaryPath, modificationTime: modificationTime, isReadOnly: isReadOnly)
    }

    func createFolders(_ path: String) throws(FileSystemError) {
        try check(.createFolders, path)
        try local.createFolders(path)
    }

    func removeFile(_ path: String) throws(FileSystemError) {
        try check(.removeFile, path)
        try local.removeFile(path)
    }

    func removeFolder(_ path: String) throws(FileSystemError) {
        try check(.removeFolder, path)
        try local.removeFolder(path)
    }

    func setModificationTime(_ time: Double, of path: String) throws(FileSystemError) {
        try check(.setModificationTime, path)
        try local.setModificationTime(time, of: path)
    }
}
