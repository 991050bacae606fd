/// The file operations that a disk cache needs. Tests can replace the file system, and make each operation fail.
///
/// ``LocalFileSystem`` is the real file system. Operations are called from many threads at once. All of them may block,
/// except ``immediateContents(of:in:byteLimit:)``. Paths are absolute; times are in seconds since 1970.
///
/// An operation that fails throws a ``FileSystemError`` with the system's error number. The cache understands `ENOENT`
/// as "the item does not exist", so an implementation must not throw this number for any other reason.
public protocol FileSystem: Sendable {
    /// Returns the same file system with a restriction: below a directory, it changes nothing through a symbolic link.
    ///
    /// An operation that changes something below the directory throws `ELOOP` if a directory on the path is a link,
    /// even if the link is put there during the operation. The directory itself, and those above it, may be reached
    /// through links.
    ///
    /// A disk cache confines its file system below the directory of its entries. The owner of that directory then
    /// cannot make a process that runs as root change files elsewhere. A file system that wraps another must return a
    /// wrapper of the confined one.
    func confined(below directory: String) -> Self

    /// Returns the whole content of a file and its attributes, given its path relative to a directory. The attributes
    /// are those of the file that was read: they equal the result of ``attributes(of:)`` until the file is changed or
    /// replaced.
    ///
    /// If the system returns the content in several pieces, an implementation must read to the end of the file. Throws
    /// `EISDIR` for a directory or a pipe, and `ENXIO` for a socket. Throws `ELOOP` if the file, or a directory on its
    /// path below `directory`, is a symbolic link. Throws `EFBIG`, without reading anything, if the file has more than
    /// `byteLimit` bytes.
    func contents(
        of name: String, in directory: KeptDirectory, byteLimit: Int
    ) throws(FileSystemError) -> (data: Data, attributes: FileAttributes)

    /// Returns the content of a file if that is possible without waiting for a device, for another process, or for a
    /// directory to be opened. Default: `.unknown`, which is always a correct answer. Called on threads that must not
    /// block.
    ///
    /// An answer other than `.unknown` must agree with the result of `contents(of:in:byteLimit:)` at this moment.
    func immediateContents(of name: String, in directory: KeptDirectory, byteLimit: Int) -> ImmediateContents

    /// Returns the last `byteCount` bytes of a regular file, or the whole content if the file has fewer bytes.
    func tail(of path: String, byteCount: Int) throws(FileSystemError) -> Data

    /// Returns the attributes of the item at a path. If it is a symbolic link, returns the attributes of the link.
    func attributes(of path: String) throws(FileSystemError) -> FileAttributes

    /// Returns the identity of the directory or file that a path leads to, following symbolic links. Returns nil if
    /// nothing exists there.
    func identity(of path: String) throws(FileSystemError) -> DirectoryIdentity?

    /// Returns the ownership of the directory that a path leads to, following symbolic links. Returns nil if nothing
    /// exists there. Throws `ENOTDIR` if the path leads to anything but a directory.
    func ownership(of path: String) throws(FileSystemError) -> DirectoryOwnership?

    /// Returns the items of a directory, except `.` and `..`, in any order. An item that is removed during the call may
    /// be missing from the result. If an existing item cannot be examined, the call must throw instead of leaving it
    /// out. Throws `ENOTDIR` if the path leads to anything but a directory, such as a symbolic link.
    func items(in directory: String) throws(FileSystemError) -> [(name: String, attributes: FileAttributes)]

    /// Writes a file. The file appears at its path completely or not at all, and replaces a previous file at that path.
    ///
    /// Throws `ENOENT` if the directory does not exist, and does not create it. If this throws, no part of the new file
    /// remains.
    /// - Parameters:
    ///   - pieces: The content of the file, in pieces that are written one after the other.
    ///   - path: The path of the file.
    ///   - temporaryPath: The path of the file while it is being written: an unused name in the same directory.
    ///   - modificationTime: The modification time to set, in seconds since 1970.
    ///   - isReadOnly: Whether the owner may not write to the file afterward.
    ///   - isDurable: Whether the content must be on the disk before the file appears at its path.
    func writeFile(
        _ pieces: [Data], to path: String, through temporaryPath: String, modificationTime: Double, isReadOnly: Bool,
        isDurable: Bool
    ) throws(FileSystemError)

    /// Creates a directory and the missing directories above it, accessible only to their owner. Does nothing if the
    /// directory exists.
    func createDirectories(_ path: String) throws(FileSystemError)

    /// Removes a file. If the path leads to a symbolic link, removes the link.
    func removeFile(_ path: String) throws(FileSystemError)

    /// Removes an empty directory. Throws `ENOTEMPTY` or `EEXIST` if it is not empty.
    func removeDirectory(_ path: String) throws(FileSystemError)

    /// Removes a directory with everything in it.
    ///
    /// Symbolic links in the directory are removed and not followed, even if a link takes the place of a directory
    /// during the removal. Throws `ENOTDIR` or `ELOOP` if the path does not lead to a directory, `EBUSY` if another
    /// disk is mounted in it, and `ENOTEMPTY` for directories nested more deeply than the implementation supports. The
    /// error has the path of the item that could not be removed.
    func removeDirectoryWithItems(_ path: String) throws(FileSystemError)

    /// Changes the modification time of a file. If the path leads to a symbolic link, changes that of the link.
    /// - Parameters:
    ///   - time: The modification time, in seconds since 1970.
    ///   - path: The path of the file.
    func setModificationTime(_ time: Double, of path: String) throws(FileSystemError)

    /// Moves a file or directory to another path. A file replaces a file at the destination, and a directory replaces
    /// an empty directory. Throws `ENOTEMPTY` or `EEXIST` if there is a directory with items at the destination, and
    /// `EXDEV` if the destination is on another disk.
    func move(_ path: String, to destination: String) throws(FileSystemError)

    /// Gives a file a second path: a hard link. Throws `EEXIST` if something exists at the destination, `EXDEV` if the
    /// destination is on another disk, and `EPERM` or `ENOTSUP` if a file cannot have two paths.
    func linkFile(_ path: String, to destination: String) throws(FileSystemError)

    /// Waits until the list of a directory's items is on the disk, so that a loss of power does not undo changes of the
    /// list.
    func synchronizeDirectory(_ path: String) throws(FileSystemError)
}

extension FileSystem {
    public func immediateContents(of name: String, in directory: KeptDirectory, byteLimit: Int) -> ImmediateContents {
        .unknown
    }
}
