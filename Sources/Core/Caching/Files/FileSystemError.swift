#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A failure of an operation of a ``FileSystem``.
public struct FileSystemError: Error, Sendable, Hashable {
    /// The system's error number, as in `errno`: `ENOSPC`, `EACCES` and so on.
    public let code: Int32
    /// The operation that failed, as a verb, such as `open` or `rename`.
    public let operation: String
    /// The path of the file or directory on which the operation failed.
    public let path: String

    /// Creates an error.
    /// - Parameters:
    ///   - code: The system's error number, as in `errno`.
    ///   - operation: The operation that failed, as a verb.
    ///   - path: The path of the file or directory on which the operation failed.
    public init(code: Int32, operation: String, path: String) {
        self.code = code
        self.operation = operation
        self.path = path
    }

    /// The system's description of the error number.
    public var reason: String {
        // Thread-safe where it matters: glibc and musl return text that no other call changes.
        String(cString: strerror(code))
    }

    /// The advice for a person who reads the error.
    var advice: String {
        switch code {
        case _ where isForeignDirectory:
            "change its owner to this user with `chown -R`, or remove it; `verify` removes it if this user may"
        case ENOSPC, EDQUOT: "free disk space, or lower the cache's `byteLimit`"
        case EACCES, EPERM, EROFS:
            "give this user write permission, change the owner with `chown -R`, or use another directory for the cache"
        case ENOTDIR, EISDIR: "use a separate directory for the cache"
        case ENOTEMPTY: "remove the other files from the directory, or use a separate directory for the cache"
        case EBUSY: "unmount the file system at the path, or use a separate directory for the cache"
        case ELOOP: "remove or repair the symbolic link in the path, or use another directory for the cache"
        case EFBIG: "raise the limit on file sizes (`ulimit -f`), or use a file system that allows larger files"
        case EMFILE, ENFILE: ImageError.openFilesAdvice
        case ENOMEM: "load fewer images at once, or raise the process's memory limit"
        default: "check the file system that contains the directory"
        }
    }
}

extension FileSystemError: CustomStringConvertible {
    /// The operation and the reason. The path is left out: this error is the cause of an ``ImageError``, which states
    /// the path as its subject.
    public var description: String { "\(operation): \(reason)" }
}
