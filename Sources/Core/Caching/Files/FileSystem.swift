/// The operations on files that a disk cache is made of, so that tests can make each of them fail.
///
/// ``LocalFileSystem`` is the real one. All operations block until they are done, but for
/// ``immediateContents(of:in:byteLimit:)``, and are called from many threads at once. Paths are absolute, times are
/// seconds since 1970. What fails throws the system's error number; the cache takes `ENOENT` for "there is none", so an
/// implementation must not use it for anything else.
public protocol FileSystem: Sendable {
    /// The same file system, which changes nothing through a symbolic link below a directory: each operation that
    /// changes something there throws `ELOOP` where a directory on the path is a link, also one that takes its place
    /// meanwhile.
    ///
    /// The directory itself, and those above it, may be reached through links. A disk cache asks for this with the
    /// directory of its entries: the owner of that directory must not lead a process of root's to files elsewhere.
    /// Returns itself unless implemented; a file system that wraps another passes it on.
    func confined(below directory: String) -> Self

    /// The whole content of a file, by its path below a directory, and the attributes of the file that was read: equal
    /// to those that ``attributes(of:)`` gives for as long as the file is the same.
    ///
    /// A read that the system answers in pieces is continued to the end of the file. Throws `EISDIR` for a directory or
    /// a pipe, `ENXIO` for a socket, `ELOOP` where the file, or a directory on its path below `directory`, is a
    /// symbolic link, and, having read nothing, `EFBIG` for a file of more than `byteLimit` bytes.
    func contents(
        of name: String, in directory: KeptDirectory, byteLimit: Int
    ) throws(FileSystemError) -> (data: Data, attributes: FileAttributes)

    /// Returns the part of a file's content that can be given without waiting for a device, for another process, or for
    /// a directory that has to be opened first. Called on threads that must not block.
    ///
    /// `.unknown` unless implemented, and always right. What is said is what `contents(of:in:byteLimit:)` would answer
    /// at this moment.
    func immediateContents(of name: String, in directory: KeptDirectory, byteLimit: Int) -> ImmediateContents

    /// The last `byteCount` bytes of a regular file; all of them when it has fewer.
    func tail(of path: String, byteCount: Int) throws(FileSystemError) -> Data

    /// The attributes of a file or directory. A symbolic link is not followed.
    func attributes(of path: String) throws(FileSystemError) -> FileAttributes

    /// Returns the identity of the directory or file that a path leads to, links followed; nil if there is none.
    func identity(of path: String) throws(FileSystemError) -> DirectoryIdentity?

    /// The owner of a directory, links followed; nil when there is none. Throws `ENOTDIR` for what is no directory.
    func ownership(of path: String) throws(FileSystemError) -> DirectoryOwnership?

    /// Everything in a directory but `.` and `..`, in no order. What vanishes meanwhile may be missing; what cannot be
    /// examined may not. Throws `ENOTDIR` for what is no directory, such as a symbolic link.
    func items(in directory: String) throws(FileSystemError) -> [(name: String, attributes: FileAttributes)]

    /// Writes a file that appears under its path whole or not at all, in place of the one that was there.
    ///
    /// Throws `ENOENT` when the directory is missing: it is not made. Whatever it throws, nothing is left behind.
    /// - Parameters:
    ///   - pieces: The content, one piece after the other.
    ///   - path: Where the file goes.
    ///   - temporaryPath: Where it is while it is written: in the same directory, a name that is not in use.
    ///   - modificationTime: The time that it gets.
    ///   - isReadOnly: Whether its owner may not write to it afterwards.
    ///   - isDurable: Whether its content is on the disk before it appears.
    func writeFile(
        _ pieces: [Data], to path: String, through temporaryPath: String, modificationTime: Double, isReadOnly: Bool,
        isDurable: Bool
    ) throws(FileSystemError)

    /// Makes a directory and those it is in, for its owner alone; no error when it is there.
    func createDirectories(_ path: String) throws(FileSystemError)

    /// Removes a file. A symbolic link is not followed.
    func removeFile(_ path: String) throws(FileSystemError)

    /// Removes a directory that is empty; throws `ENOTEMPTY` or `EEXIST` when it is not.
    func removeDirectory(_ path: String) throws(FileSystemError)

    /// Removes a directory with everything in it. Links in it are removed and not followed, also where one takes the
    /// place of a directory meanwhile. Throws `ENOTDIR` or `ELOOP` for what is no directory, `EBUSY` where another disk
    /// is mounted, and `ENOTEMPTY` for directories deeper than an implementation goes. The error's path is that of the
    /// item that could not be removed.
    func removeDirectoryWithItems(_ path: String) throws(FileSystemError)

    /// Changes the modification time of a file. A symbolic link is not followed.
    func setModificationTime(_ time: Double, of path: String) throws(FileSystemError)

    /// Gives a file or a directory another path, in place of a file or an empty directory that may be there. Throws
    /// `ENOTEMPTY` or `EEXIST` when there is a directory with something in it, and `EXDEV` when it is another disk.
    func move(_ path: String, to destination: String) throws(FileSystemError)

    /// Gives a file a second path, where nothing is yet: throws `EEXIST` when something is, `EXDEV` when that is on
    /// another disk, and `EPERM` or `ENOTSUP` when a file cannot have two.
    func linkFile(_ path: String, to destination: String) throws(FileSystemError)

    /// Returns when what a directory lists is on the disk.
    func synchronizeDirectory(_ path: String) throws(FileSystemError)
}

extension FileSystem {
    public func immediateContents(of name: String, in directory: KeptDirectory, byteLimit: Int) -> ImmediateContents {
        .unknown
    }
}
