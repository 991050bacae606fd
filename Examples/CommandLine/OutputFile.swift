import CalotypeStandard
import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writing files whole or not at all.
enum OutputFile {
    /// How many files are written at once. Whoever holds all slots knows that none is.
    private static let slotCount = 4
    private static let slots = DispatchSemaphore(value: slotCount)
    /// Begins anywhere: in containers every process is number 1, and must not meet what one before it left behind.
    private static let counter = Atomic<UInt64>(UInt64.random(in: 0..<(1 << 48)))

    /// Writes a file, in place of the one that was there. Blocks.
    ///
    /// The bytes go into a file beside it, which then gets its name. What is no regular file, such as a device or a
    /// pipe, is written to directly: replacing it would not be what was meant. The target of a symbolic link is
    /// replaced rather than the link.
    static func save(_ data: Data, to path: String) throws {
        var status = stat()
        let exists = stat(path, &status) == 0
        let kind = status.st_mode & S_IFMT
        if exists, kind != S_IFREG {
            guard kind != S_IFDIR else {
                throw problem("'\(path)' is a folder", advice: "name a file in it")
            }
            return try overwrite(path, with: data)
        }
        try replace(exists ? resolved(path) : path, with: data, mode: exists ? status.st_mode & 0o777 : nil, name: path)
    }

    /// Waits until no file is being written, but not for ever; after that, none is. For the end of the process.
    static func finish() {
        let deadline = DispatchTime.now() + DispatchTimeInterval.seconds(2)
        for _ in 0..<slotCount {
            guard slots.wait(timeout: deadline) == .success else { return }
        }
    }

    /// Writes a file beside `target`, which it then replaces.
    private static func replace(_ target: String, with data: Data, mode: mode_t?, name: String) throws {
        slots.wait()
        defer { slots.signal() }
        let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
        let temporary = "\(FileName.folder(of: target))/.calotype-\(getpid())-\(number)"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw failure(errno, name) }
        var code = Descriptor.send(data, to: descriptor)
        if code == 0, let mode { fchmod(descriptor, mode) }
        if close(descriptor) != 0, code == 0 { code = errno }
        if code == 0, rename(temporary, target) != 0 { code = errno }
        guard code == 0 else {
            unlink(temporary)
            throw failure(code, name)
        }
    }

    /// Makes a folder, and those above it, unless it is there. Blocks.
    static func createFolder(_ path: String) throws {
        var name = path
        while name.hasSuffix("/"), name.count > 1 { name.removeLast() }
        if let identity = FileIdentity(name) {
            guard identity.isFolder else {
                throw problem("'\(name)' is a file, not a folder", advice: "several pictures need a folder to go to")
            }
            return
        }
        let parent = FileName.folder(of: name)
        if parent != name { try createFolder(parent) }
        guard mkdir(name, 0o777) == 0 || errno == EEXIST else { throw failure(errno, name) }
    }

    private static func overwrite(_ path: String, with data: Data) throws {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(errno, path) }
        defer { close(descriptor) }
        let code = Descriptor.send(data, to: descriptor)
        guard code == 0 else { throw failure(code, path) }
    }

    /// Where a symbolic link leads to.
    private static func resolved(_ path: String) -> String {
        guard let target = realpath(path, nil) else { return path }
        defer { free(target) }
        return String(cString: target)
    }

    private static func failure(_ code: Int32, _ path: String) -> ImageError {
        let advice: String? =
            switch code {
            case ENOENT, ENOTDIR: "name a folder that exists"
            case EACCES, EPERM, EROFS: "choose a folder that you may write to"
            case ENOSPC, EDQUOT: "free some space"
            default: nil
            }
        return problem("cannot be written to '\(path)': \(String(cString: strerror(code)))", advice: advice)
    }

    private static func problem(_ message: String, advice: String?) -> ImageError {
        ImageError(
            ImageError.Code(rawValue: "outputFailed"), stage: .encode, message: message, advice: advice)
    }
}
