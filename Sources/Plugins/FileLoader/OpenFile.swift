import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A regular file open for reading, which is closed on deallocation.
final class OpenFile: Sendable {
    /// The length of the file when it was opened.
    let byteCount: Int
    /// The modification time as text: seconds since 1970, a dot, and nanoseconds without leading zeros.
    let modificationTime: String

    private let descriptor: Int32

    /// Opens a file. Blocks.
    ///
    /// Throws `notFound` if the file does not exist, `accessDenied` if the process may not read it, and `loadFailed`
    /// for any other reason, for example because it is a directory. If `directories` is not nil, every path outside
    /// them causes `accessDenied`, so that the error does not reveal whether a file exists there.
    init(_ path: String, in directories: DirectoryList? = nil) throws(ImageError) {
        guard !path.utf8.contains(0) else {
            throw ImageError(.notFound, stage: .load, message: "has a zero byte in its path", advice: "check the path")
        }
        descriptor = try Self.opened(path, in: directories)
        let status: stat
        do throws(ImageError) {
            status = try Self.status(of: descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            let isDirectory = status.st_mode & S_IFMT == S_IFDIR
            throw ImageError(
                .loadFailed, stage: .load, message: isDirectory ? "is a directory" : "is not a regular file",
                advice: isDirectory ? "use the path of a file in it" : "copy its contents to a regular file")
        }
        byteCount = Int(status.st_size)
        modificationTime = Self.modificationTime(status)
    }

    deinit { close(descriptor) }

    /// The flags for opening a file to read it. `O_NONBLOCK` prevents waiting for the writer of a pipe. `O_NOCTTY`
    /// prevents a terminal from becoming the controlling terminal of the process.
    private static let reading = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY

    #if os(Linux)
    /// The flags for a descriptor that identifies a file without opening it.
    private static let finding = LinklessPath.searchOnly | O_CLOEXEC
    #else
    private static let finding = reading
    #endif

    /// Returns a descriptor for reading a file. Blocks.
    ///
    /// On Linux a file outside `directories` is never opened, because opening a device can have side effects.
    private static func opened(_ path: String, in directories: DirectoryList?) throws(ImageError) -> Int32 {
        let found = open(path, directories == nil ? reading : finding)
        guard found >= 0 else {
            let code = errno
            try directories?.check(RealPath(nearestTo: path))
            throw failure(code, "cannot be opened")
        }
        guard let directories else { return found }
        do throws(ImageError) {
            try directories.check(RealPath(of: found))
        } catch {
            close(found)
            throw error
        }
        #if os(Linux)
        defer { close(found) }
        // This opens the file that was checked, even if the path leads elsewhere by now. Without /proc, the check above
        // throws.
        let descriptor = open("/proc/self/fd/\(found)", reading)
        guard descriptor >= 0 else { throw failure(errno, "cannot be opened") }
        return descriptor
        #else
        return found
        #endif
    }

    /// Reads bytes from `offset` on until `memory` is full or the file ends, and returns their number. Blocks.
    ///
    /// Throws an error if the file cannot be read, and `loadFailed` if it has changed since it was opened.
    func read(at offset: Int, into memory: UnsafeMutableRawBufferPointer) throws(ImageError) -> Int {
        let wanted = min(memory.count, max(0, byteCount - offset))
        var filled = 0
        while filled < wanted {
            let got = pread(descriptor, memory.baseAddress! + filled, wanted - filled, off_t(offset + filled))
            let code = errno
            if got < 0, code == EINTR { continue }
            guard got >= 0 else { throw Self.failure(code, "cannot be read") }
            guard got > 0 else { throw Self.changed }
            filled += got
        }
        try checkUnchanged()
        return filled
    }

    /// Returns `count` bytes from `offset` on, or fewer at the end of the file. Blocks.
    ///
    /// Throws the errors of ``read(at:into:)``, and `outOfMemory`.
    func read(at offset: Int, count: Int) throws -> Data {
        try Data(count: min(count, max(0, byteCount - offset)), at: .load) { try read(at: offset, into: $0) }
    }

    /// Maps all bytes of a nonempty file into memory. Returns nil if the system cannot map the file. Blocks.
    ///
    /// Throws `loadFailed` if the file has changed since it was opened. If the file is shortened while the data exists,
    /// touching a page beyond its new end terminates the process.
    func mapped() throws(ImageError) -> Data? {
        // The mapping is writable, because the sole owner of data may change it in place. It is private, so that such
        // changes do not reach the file.
        let address = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0)
        guard let address, address != MAP_FAILED else { return nil }
        let data = Data(bytesNoCopy: address, count: byteCount, deallocator: .unmap)
        try checkUnchanged()
        return data
    }

    /// Throws `loadFailed` if the length or the modification time of the file has changed since it was opened. Blocks.
    func checkUnchanged() throws(ImageError) {
        let status = try Self.status(of: descriptor)
        guard Int(status.st_size) == byteCount, Self.modificationTime(status) == modificationTime else {
            throw Self.changed
        }
    }

    private static var changed: ImageError {
        ImageError(
            .loadFailed, stage: .load, message: "changed while it was read",
            advice: "load it again after it has been written completely")
    }

    private static func status(of descriptor: Int32) throws(ImageError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(errno, "cannot be examined") }
        return status
    }

    /// Returns the modification time of a file in the form of the property `modificationTime`.
    static func modificationTime(_ status: stat) -> String {
        #if canImport(Darwin)
        let changed = status.st_mtimespec
        #else
        let changed = status.st_mtim
        #endif
        return "\(changed.tv_sec).\(changed.tv_nsec)"
    }

    private static func failure(_ code: Int32, _ what: String) -> ImageError {
        let reason = String(cString: strerror(code))
        return switch code {
        case ENOENT, ENOTDIR:
            ImageError(.notFound, stage: .load, message: "does not exist", advice: "check the path")
        case EACCES, EPERM:
            ImageError(
                .accessDenied, stage: .load, message: "\(what): \(reason)", advice: "check the file's permissions")
        case ELOOP:
            ImageError(
                .loadFailed, stage: .load, message: "leads to itself, or through too many symbolic links",
                advice: "correct the symbolic link")
        case EMFILE, ENFILE:
            ImageError(
                .loadFailed, stage: .load, message: "\(what): \(reason)", advice: ImageError.openFilesAdvice,
                isTransient: true)
        default:
            ImageError(
                .loadFailed, stage: .load, message: "\(what): \(reason)", advice: "check the file and its file system")
        }
    }
}
