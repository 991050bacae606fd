/// The file operations that a disk cache needs. Tests can replace them and make each one fail.
///
/// ``LocalFileSystem`` is the real file system. Operations are called from many threads at once. All of them block
/// until they are done, except ``immediateContents(of:in:byteLimit:)``. Paths are absolute; times are in seconds since
/// 1970.
///
/// An operation that fails throws the system's error number. The cache understands `ENOENT` as "there is none", so an
/// implementation must not use it for anything else.
public protocol FileSystem: Sendable {
    /// Returns the same file system, restricted to change nothing through a symbolic link below a directory. Default:
    /// returns itself.
    ///
    /// An operation that changes something below the directory throws `ELOOP` if a directory on the path is a link,
    /// even one that is put there meanwhile. The directory itself, and those above it, may be reached through links.
    ///
    /// A disk cache restricts its file system to the directory of its entries, so that the owner of that directory
    /// cannot direct a process of root to files elsewhere. A file system that wraps another must restrict that one.
    func confined(below directory: String) -> Self

    /// Returns the whole content of a file, given its path below a directory, and the attributes of the file that was
    /// read. They equal the result of ``attributes(of:)`` as long as the file is the same.
    ///
    /// A read that the system answers in pieces continues to the end of the file. Throws `EISDIR` for a directory or a
    /// pipe, `ENXIO` for a socket, and `ELOOP` if the file, or a directory on its path below `directory`, is a symbolic
    /// link. Throws `EFBIG`, without reading anything, for a file of more than `byteLimit` bytes.
    func contents(
        of name: String, in directory: KeptDirectory, byteLimit: Int
    ) throws(FileSystemError) -> (data: Data, attributes: FileAttributes)

    /// Returns the content of a file if that is possible without waiting for a device, for another process, or for a
    /// directory that must first be opened. Called on threads that must not block. Default: `.unknown`, which is always
    /// a correct answer.
    ///
    /// Any other answer must be what `contents(of:in:byteLimit:)` would return at this moment.
    func immediateContents(of name: String, in directory: KeptDirectory, byteLimit: Int) -> ImmediateContents

    /// Returns the last `byteCount` bytes of a regular file, or all if it has fewer.
    func tail(of path: String, byteCount: Int) throws(FileSystemError) -> Data

    /// Returns the attributes of a file or directory. A symbolic link is not followed.
    func attributes(of path: String) throws(FileSystemError) -> FileAttributes

    /// Returns the identity of the directory or file that a path leads to, following links. Returns nil if there is
    /// none.
    func identity(of path: String) throws(FileSystemError) -> DirectoryIdentity?

    /// Returns the ownership of a directory, following links. Returns nil if there is none. Throws `ENOTDIR` for
    /// anything else.
    func ownership(of path: String) throws(FileSystemError) -> DirectoryOwnership?

    /// Returns the items of a directory, except `.` and `..`, in any order. An item that disappears meanwhile may be
    /// missing; an item that cannot be examined may not. Throws `ENOTDIR` if there is no directory, but for example a
    /// symbolic link.
    func items(in directory: String) throws(FileSystemError) -> [(name: String, attributes: FileAttributes)]

    /// Writes a file, which appears at its path completely or not at all, and replaces the previous one.
    ///
    /// Throws `ENOENT` if the directory does not exist: it is not created. If this throws, nothing is left behind.
    /// - Parameters:
    ///   - pieces: The content, one piece after the other.
    ///   - path: The path of the file.
    ///   - temporaryPath: The path of the file while it is written: an unused name in the same directory.
    ///   - modificationTime: The modification time to set.
    ///   - isReadOnly: Whether the owner may not write to the file afterward.
    ///   - isDurable: Whether the content is on the disk before the file appears.
    func writeFile(
        _ pieces: [Data], to path: String, through temporaryPath: String, modificationTime: Double, isReadOnly: Bool,
        isDurable: Bool
    ) throws(FileSystemError)

    /// Creates a directory and those above it, accessible only to the owner. Does nothing if the directory exists.
    func createDirectories(_ path: String) throws(FileSystemError)

    /// Removes a file. A symbolic link is not followed.
    func removeFile(_ path: String) throws(FileSystemError)

    /// Removes an empty directory. Throws `ENOTEMPTY` or `EEXIST` if it is not empty.
    func removeDirectory(_ path: String) throws(FileSystemError)

    /// Removes a directory with everything in it.
    ///
    /// Links in it are removed and not followed, even if one takes the place of a directory meanwhile. Throws `ENOTDIR`
    /// or `ELOOP` if there is no directory, `EBUSY` if another disk is mounted in it, and `ENOTEMPTY` for directories
    /// nested more deeply than the implementation supports. The error has the path of the item that could not be
    /// removed.
    func removeDirectoryWithItems(_ path: String) throws(FileSystemError)

    /// Changes the modification time of a file. A symbolic link is not followed.
    func setModificationTime(_ time: Double, of path: String) throws(FileSystemError)

    /// Moves a file or directory to another path, replacing a file or an empty directory there. Throws `ENOTEMPTY` or
    /// `EEXIST` if there is a directory with items, and `EXDEV` if the destination is on another disk.
    func move(_ path: String, to destination: String) throws(FileSystemError)

    /// Gives a file a second path, where there is nothing yet. Throws `EEXIST` if there is something, `EXDEV` if the
    /// destination is on another disk, and `EPERM` or `ENOTSUP` if a file cannot have two paths.
    func linkFile(_ path: String, to destination: String) throws(FileSystemError)

    /// Waits until the names in a directory are on the disk.
    func synchronizeDirectory(_ path: String) throws(FileSystemError)
}

extension FileSystem {
    public func immediateContents(of name: String, in directory: KeptDirectory, byteLimit: Int) -> ImmediateContents {
        .unknown
    }
}
