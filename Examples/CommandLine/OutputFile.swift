import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writing files whole or not at all.
enum OutputFile {
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
        let target = exists ? resolved(path) : path
        let file = UnfinishedFiles.create(in: FileName.folder(of: target))
        guard file.descriptor >= 0 else { throw failure(file.code, path) }
        defer { UnfinishedFiles.forget(file.path) }
        var code = Descriptor.send(data, to: file.descriptor)
        if code == 0, exists { fchmod(file.descriptor, status.st_mode & 0o777) }
        if close(file.descriptor) != 0, code == 0 { code = errno }
        if code == 0, rename(file.path, target) != 0 { code = errno }
        guard code == 0 else {
            unlink(file.path)
            throw failure(code, path)
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
