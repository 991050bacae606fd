#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An operation of a ``FileSystem`` that the system refused.
public struct FileSystemError: Error, Sendable, Hashable {
    /// The system's error number, as in `errno`: `ENOSPC`, `EACCES` and so on.
    public let code: Int32
    /// The operation that failed, as a verb, such as `open` or `rename`.
    public let operation: String
    /// The path on which the operation failed.
    public let path: String

    /// Creates an error.
    /// - Parameters:
    ///   - code: The system's error number.
    ///   - operation: The operation that failed, as a verb.
    ///   - path: The path on which it failed.
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
            "give the directory to this user with `chown -R`, or remove it; `verify` removes it where this user may"
        case ENOSPC, EDQUOT: "free some space, or give the cache a smaller `byteLimit`"
        case EACCES, EPERM, EROFS:
            "let this user write to the directory, make it this user's with `chown -R`, or give the cache another one"
        case ENOTDIR, EISDIR: "give the cache a directory of its own"
        case ENOTEMPTY: "remove what is in the directory, or give the cache a directory of its own"
        case EBUSY: "unmount what is mounted there, or give the cache a directory of its own"
        case ELOOP: "remove or mend the symbolic link on the path, or give the cache another directory"
        case EFBIG: "raise the limit on the size of files (`ulimit -f`), or use a disk that takes larger ones"
        case EMFILE, ENFILE: ImageError.openFilesAdvice
        case ENOMEM: "load fewer images at once, or raise the process's memory limit"
        default: "check the disk that the directory is on"
        }
    }
}

extension FileSystemError: CustomStringConvertible {
    /// The operation and the reason. The path is missing, because the error that reports this one has it as its
    /// subject.
    public var description: String { "\(operation): \(reason)" }
}
