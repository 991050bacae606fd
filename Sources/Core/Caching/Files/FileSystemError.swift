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
    /// The operation that failed, as a verb: `open`, `rename`.
    public let operation: String
    /// The path that the operation was given.
    public let path: String

    /// An error.
    /// - Parameters:
    ///   - code: The system's error number.
    ///   - operation: What was tried, as a verb.
    ///   - path: What it was tried with.
    public init(code: Int32, operation: String, path: String) {
        self.code = code
        self.operation = operation
        self.path = path
    }

    /// The error number in the system's words.
    public var reason: String {
        // Safe between threads where it matters: glibc and musl keep no text that another call could change.
        String(cString: strerror(code))
    }

    /// The advice for the reader.
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
    /// The operation and the reason. The path is left to the reporter of the error, which names it as its subject.
    public var description: String { "\(operation): \(reason)" }
}
