#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The file system of the machine, used through POSIX calls.
///
/// Files (0600, or 0400 if read-only) and directories (0700) are accessible only to their owner, because the pictures
/// that a user looks at are private. Data is forced to the disk only on request: after a loss of power, the checksum of
/// an entry shows whether its file is complete.
///
/// On Linux, files that the system has in memory can be read without waiting if they are on a Btrfs, ext4, F2FS or XFS
/// file system. On other file systems, such as those of networks and containers, an immediate read always returns
/// `.unknown`.
public struct LocalFileSystem: FileSystem {
    /// The maximum size of a file that is read without waiting, in bytes: 64 KiB. Copying and verifying a larger file
    /// would delay a thread that must not block.
    public static let immediateByteLimit = 64 << 10

    /// The paths of the directories below which changes do not follow symbolic links, each with a slash at the end.
    private(set) var roots: [String] = []

    /// Creates the file system of the machine.
    public init() {}

    public func confined(below directory: String) -> LocalFileSystem {
        var other = self
        other.roots.append("\(directory)/")
        return other
    }

    public func contents(
        of name: String, in directory: KeptDirectory, byteLimit: Int
    ) throws(FileSystemError) -> (data: Data, attributes: FileAttributes) {
        let descriptor = try directory.openFile(name)
        defer { close(descriptor) }
        let attributes = try Self.attributes(of: descriptor, path: "\(directory.path)/\(name)")
        guard attributes.byteCount <= byteLimit else {
            throw FileSystemError(code: EFBIG, operation: "read", path: "\(directory.path)/\(name)")
        }
        // The file is read and not mapped: reading is faster up to a few hundred kilobytes, and truncating a mapped
        // file would end the process.
        let data = try Self.bytes(of: descriptor, in: 0..<attributes.byteCount, path: "\(directory.path)/\(name)")
        return (data, attributes)
    }

    public func immediateContents(of name: String, in directory: KeptDirectory, byteLimit: Int) -> ImmediateContents {
        #if os(Linux)
        switch directory.openFileImmediately(name) {
        case .absent: return .absent
        case .unknown: return .unknown
        case .opened(let descriptor):
            defer { close(descriptor) }
            // Throws for anything but a regular file.
            guard let attributes = try? Self.attributes(of: descriptor, path: name),
                attributes.byteCount <= min(byteLimit, Self.immediateByteLimit),
                let data = Self.cachedBytes(of: descriptor, count: attributes.byteCount, in: directory)
            else { return .unknown }
            return .file(data, attributes)
        }
        #else
        return .unknown
        #endif
    }

    #if os(Linux)
    /// Returns the first `count` bytes of an open file. Returns nil if they cannot all be read without waiting.
    private static func cachedBytes(of descriptor: Int32, count: Int, in directory: KeptDirectory) -> Data? {
        guard count > 0 else { return Data() }
        guard let buffer = malloc(count) else { return nil }
        let outcome = CachedFile.read(descriptor, into: buffer, count: count)
        guard outcome == count else {
            free(buffer)
            // The file system does not support such a read for any file, so it is not tried again.
            if outcome == -Int(EOPNOTSUPP) { directory.refuseImmediateReads() }
            return nil
        }
        return Data(bytesNoCopy: buffer, count: count, deallocator: .free)
    }
    #endif

    public func tail(of path: String, byteCount: Int) throws(FileSystemError) -> Data {
        let descriptor = try inDirectory(of: path, to: "open") {
            (directory: Int32, name: String) throws(FileSystemError) -> Int32 in
            // A pipe that another process put there must not block, and a link must not be followed.
            try retrying("open", path) { openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
        }
        defer { close(descriptor) }
        let end = try Self.attributes(of: descriptor, path: path).byteCount
        return try Self.bytes(of: descriptor, in: max(0, end - byteCount)..<end, path: path)
    }

    public func attributes(of path: String) throws(FileSystemError) -> FileAttributes {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw FileSystemError(code: errno, operation: "stat", path: path) }
        return FileAttributes(status)
    }

    public func identity(of path: String) throws(FileSystemError) -> DirectoryIdentity? {
        try DirectoryIdentity(of: path)
    }

    public func ownership(of path: String) throws(FileSystemError) -> DirectoryOwnership? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let code = errno
            if code == ENOENT { return nil }
            throw FileSystemError(code: code, operation: "stat", path: path)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw FileSystemError(code: ENOTDIR, operation: "stat", path: path)
        }
        return DirectoryOwnership(
            ownerID: status.st_uid, userID: geteuid(), isWritableByAll: status.st_mode & 0o002 != 0)
    }

    public func items(in directory: String) throws(FileSystemError) -> [(name: String, attributes: FileAttributes)] {
        let descriptor = try retrying("list", directory) {
            open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        }
        guard let stream = fdopendir(descriptor) else {
            let code = errno
            close(descriptor)
            throw FileSystemError(code: code, operation: "list", path: directory)
        }
        defer { closedir(stream) }
        var items: [(name: String, attributes: FileAttributes)] = []
        while true {
            // Only the error number distinguishes a failure from the end.
            errno = 0
            guard let item = readdir(stream) else {
                let code = errno
                if code != 0 { throw FileSystemError(code: code, operation: "list", path: directory) }
                return items
            }
            let name = withUnsafePointer(to: &item.pointee.d_name) {
                String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            if name == "." || name == ".." { continue }
            var status = stat()
            // The name is passed on as bytes, because `name` differs from it if it is not UTF-8.
            let code = withUnsafePointer(to: &item.pointee.d_name) { bytes -> Int32 in
                let name = UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self)
                return fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno
            }
            // Skipping an item after any other error would hide items that exist.
            if code == ENOENT { continue }
            guard code == 0 else { throw FileSystemError(code: code, operation: "stat", path: "\(directory)/\(name)") }
            items.append((name, FileAttributes(status)))
        }
    }

    public func writeFile(
        _ pieces: [Data], to path: String, through temporaryPath: String, modificationTime: Double, isReadOnly: Bool,
        isDurable: Bool
    ) throws(FileSystemError) {
        try inDirectory(of: path, to: "create") { (directory: Int32, name: String) throws(FileSystemError) -> Void in
            // The temporary file is created in the open directory, even if another directory takes its place.
            let temporary = directory == AT_FDCWD ? temporaryPath : Self.lastName(of: temporaryPath)
            let descriptor = try retrying("create", temporaryPath) {
                openat(directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isReadOnly ? 0o400 : 0o600)
            }
            do throws(FileSystemError) {
                try Self.fill(
                    descriptor, with: pieces, modificationTime: modificationTime, isDurable: isDurable,
                    path: temporaryPath)
                guard renameat(directory, temporary, directory, name) == 0 else {
                    throw FileSystemError(code: errno, operation: "rename", path: path)
                }
            } catch {
                unlinkat(directory, temporary, 0)
                throw error
            }
        }
    }

    public func createDirectories(_ path: String) throws(FileSystemError) {
        do throws(FileSystemError) {
            return try createDirectory(path)
        } catch {
            guard error.code == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex
            else { throw error }
            try createDirectories(String(path[..<slash]))
        }
        try createDirectory(path)
    }

    /// Creates a directory. Does nothing if something exists at the path.
    private func createDirectory(_ path: String) throws(FileSystemError) {
        try change("make directory", path) { directory, name in
            mkdirat(directory, name, 0o700) == 0 || errno == EEXIST ? 0 : -1
        }
    }

    public func removeFile(_ path: String) throws(FileSystemError) {
        try change("remove", path) { directory, name in unlinkat(directory, name, 0) }
    }

    public func removeDirectory(_ path: String) throws(FileSystemError) {
        try change("remove", path) { directory, name in unlinkat(directory, name, AT_REMOVEDIR) }
    }

    public func removeDirectoryWithItems(_ path: String) throws(FileSystemError) {
        let failure = try inDirectory(of: path, to: "remove") {
            (directory: Int32, name: String) -> DirectoryRemoval.Failure? in
            name.withCString { DirectoryRemoval.removeDirectory($0, in: directory) }
        }
        guard let failure else { return }
        throw FileSystemError(code: failure.code, operation: "remove", path: path + failure.path)
    }

    public func setModificationTime(_ time: Double, of path: String) throws(FileSystemError) {
        let stamp = timespec(seconds: time)
        let times = [stamp, stamp]
        // A link, which another process may have put there, is not followed.
        try change("touch", path) { directory, name in utimensat(directory, name, times, AT_SYMLINK_NOFOLLOW) }
    }

    public func move(_ path: String, to destination: String) throws(FileSystemError) {
        try change("move", path, to: destination) { from, name, target, newName in
            renameat(from, name, target, newName)
        }
    }

    public func linkFile(_ path: String, to destination: String) throws(FileSystemError) {
        try change("link", path, to: destination) { from, name, target, newName in
            linkat(from, name, target, newName, 0)
        }
    }

    public func synchronizeDirectory(_ path: String) throws(FileSystemError) {
        let descriptor = try retrying("open", path) { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        defer { close(descriptor) }
        let code = Self.synchronize(descriptor)
        if code != 0 { throw FileSystemError(code: code, operation: "synchronize", path: path) }
    }

    /// Forces a file or directory to the disk. Returns 0 on success, otherwise the error number.
    private static func synchronize(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
        // On Darwin, `fsync` does not flush the cache of the disk itself.
        let outcome = fcntl(descriptor, F_FULLFSYNC)
        #else
        let outcome = fsync(descriptor)
        #endif
        return outcome == 0 ? 0 : errno
    }

    /// Returns the attributes of an open file. Throws `EISDIR` if it is not a regular file.
    private static func attributes(
        of descriptor: Int32, path: @autoclosure () -> String
    ) throws(FileSystemError) -> FileAttributes {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            throw FileSystemError(code: code, operation: "stat", path: path())
        }
        let attributes = FileAttributes(status)
        guard attributes.kind == .file else { throw FileSystemError(code: EISDIR, operation: "read", path: path()) }
        return attributes
    }

    /// Returns the bytes in a range of an open file, or fewer if the file ends earlier.
    private static func bytes(
        of descriptor: Int32, in range: Range<Int>, path: @autoclosure () -> String
    ) throws(FileSystemError) -> Data {
        try bytes(in: range, path: path()) { buffer, count, offset in pread(descriptor, buffer, count, offset) }
    }

    /// Returns the bytes in a range of a file, or fewer if the file ends earlier.
    ///
    /// Only a read of zero bytes means the end of the file. After a shorter read than requested, more bytes may follow,
    /// for example on a network.
    /// - Parameter read: A function like `pread`, without the descriptor.
    static func bytes(
        in range: Range<Int>, path: @autoclosure () -> String,
        read: (UnsafeMutableRawPointer, Int, off_t) -> Int
    ) throws(FileSystemError) -> Data {
        guard !range.isEmpty else { return Data() }
        guard MemoryReserve.allows(range.count), let buffer = malloc(range.count) else {
            throw FileSystemError(code: ENOMEM, operation: "read", path: path())
        }
        var filled = 0
        while filled < range.count {
            let count = read(buffer + filled, range.count - filled, off_t(range.lowerBound + filled))
            if count == 0 { break }
            if count > 0 {
                filled += count
                continue
            }
            let code = errno
            if code == EINTR { continue }
            free(buffer)
            throw FileSystemError(code: code, operation: "read", path: path())
        }
        return Data(bytesNoCopy: buffer, count: filled, deallocator: .free)
    }

    /// Writes the content of a new file, and sets its modification time. Closes the file, even if writing fails.
    /// - Parameters:
    ///   - modificationTime: The modification time, in seconds since 1970.
    ///   - isDurable: Whether to wait until the file is on the disk.
    private static func fill(
        _ descriptor: Int32, with pieces: [Data], modificationTime: Double, isDurable: Bool, path: String
    ) throws(FileSystemError) {
        var code: Int32 = 0
        for piece in pieces where code == 0 { code = fill(descriptor, with: piece) }
        if code == 0 {
            // The system's own stamps have a resolution of only a few milliseconds, and come from another clock.
            let stamp = timespec(seconds: modificationTime)
            let times = [stamp, stamp]
            if futimens(descriptor, times) != 0 { code = errno }
        }
        if code == 0, isDurable { code = synchronize(descriptor) }
        // Some file systems report only here that there is no room. An interrupted `close` has closed the file.
        if close(descriptor) != 0, code == 0, errno != EINTR { code = errno }
        if code != 0 { throw FileSystemError(code: code, operation: "write", path: path) }
    }

    /// Writes all bytes of `piece` to a file. Returns 0 on success, otherwise the error number.
    private static func fill(_ descriptor: Int32, with piece: Data) -> Int32 {
        piece.withUnsafeBytes { (buffer: UnsafeRawBufferPointer) -> Int32 in
            guard let start = buffer.baseAddress else { return 0 }
            var written = 0
            while written < buffer.count {
                let count = write(descriptor, start + written, buffer.count - written)
                if count > 0 {
                    written += count
                    continue
                }
                // A write that returns 0 sets no error number, and would otherwise be repeated without end.
                let code = count == 0 ? EIO : errno
                if code != EINTR { return code }
            }
            return 0
        }
    }
}

extension FileAttributes {
    fileprivate init(_ status: stat) {
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        let kind: Kind
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .directory
        default: kind = .other
        }
        self.init(
            kind: kind, byteCount: Int(status.st_size),
            modificationTime: Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9,
            isReadOnly: status.st_mode & 0o200 == 0, ownerID: status.st_uid)
    }
}

extension timespec {
    /// The largest supported distance of a time from 1970, in seconds: more than 30,000 years in either direction.
    private static let furthest = 1e12

    fileprivate init(seconds: Double) {
        // A wrong clock must not trap: times that no file system can store are bounded.
        let bounded = seconds.isNaN ? 0 : min(max(seconds, -Self.furthest), Self.furthest)
        let whole = bounded.rounded(.down)
        self.init()
        tv_sec = time_t(whole)
        tv_nsec = min(Int((bounded - whole) * 1e9), 999_999_999)
    }
}
