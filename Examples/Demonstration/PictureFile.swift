import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that the user named.
struct PictureFile: Sendable {
    /// The path, which cannot be mistaken for a URL.
    let path: String

    /// Creates the file for a word.
    init(_ word: String) {
        // A leading tilde or colon of a relative path has no special meaning.
        path = word.hasPrefix("/") ? word : "./\(word)"
    }

    /// The last component of the path.
    var name: String { String(path.split(separator: "/").last ?? "/") }

    /// The extension in lower case; empty for none.
    var fileExtension: String {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 1 ? parts[parts.count - 1].lowercased() : ""
    }

    /// Returns all bytes. Blocks. Throws `notFound` and `loadFailed`.
    func bytes() throws(ImageError) -> Data {
        var status = stat()
        guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            throw ImageError(
                .notFound, stage: .load, message: "cannot be read: \(reason)",
                advice: "check the path and its permissions")
        }
        // Reading a device or a pipe might never end.
        guard status.st_mode & S_IFMT == S_IFREG, let bytes = FileManager.default.contents(atPath: path) else {
            throw ImageError(
                .loadFailed, stage: .load, message: "is not a readable regular file", advice: "use an image file")
        }
        return bytes
    }
}
