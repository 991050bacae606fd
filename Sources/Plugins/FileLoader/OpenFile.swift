import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A regular file open for reading; closed when it goes.
final class OpenFile: Sendable {
    /// Its length when it was opened.
    let byteCount: Int
    /// When it was last changed, as text: seconds and nanoseconds.
    let modificationTime: String

    private let descriptor: Int32

    /// Opens a file. Blocks.
    ///
    /// Throws `notFound`, `accessDenied` and, for what is no regular file, `loadFailed`.
    init(_ path: String) throws(ImageError) {
        guard !path.utf8.contains(0) else {
            throw ImageError(.notFound, stage: .load, message: "has a zero byte in its path", advice: "check the path")
        }
        // Non-blocking, or opening a pipe would wait for somebody who writes to it.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.failure(errno, "cannot be opened") }
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
                advice: isDirectory ? "name a file in it" : "copy what it holds into a file first")
        }
        byteCount = Int(status.st_size)
        modificationTime = Self.modificationTime(status)
    }

    deinit { close(descriptor) }

    /// The bytes from `offset` on, at most `count`; fewer at the end, none behind it. Blocks.
    func read(at offset: Int, count: Int) throws(ImageError) -> Data {
        let wanted = min(count, max(0, byteCount - offset))
        var data = Data(count: wanted)
        var filled = 0
        while filled < wanted {
            let (got, code) = data.withUnsafeMutableBytes { buffer in
                (pread(descriptor, buffer.baseAddress! + filled, wanted - filled, off_t(offset + filled)), errno)
            }
            if got < 0, code == EINTR { continue }
            guard got >= 0 else { throw Self.failure(code, "cannot be read") }
            guard got > 0 else { break }
            filled += got
        }
        return filled == wanted ? data : data.prefix(filled)
    }

    /// Throws `loadFailed` when the file is no longer what it was when it was opened. Blocks.
    func checkUnchanged() throws(ImageError) {
        let status = try Self.status(of: descriptor)
        guard Int(status.st_size) != byteCount || Self.modificationTime(status) != modificationTime else { return }
        throw ImageError(
            .loadFailed, stage: .load, message: "changed while it was read",
            advice: "load it again when whoever writes it is done")
    }

    private static func status(of descriptor: Int32) throws(ImageError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(errno, "cannot be examined") }
        return status
    }

    /// When a file was last changed, as text: seconds and nanoseconds.
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
        default:
            ImageError(.loadFailed, stage: .load, message: "\(what): \(reason)")
        }
    }
}
