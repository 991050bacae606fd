import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A picture file that is named on the command line.
struct PictureFile: Sendable {
    /// The path. It is absolute or begins with `./`, so that it cannot be mistaken for a URL.
    let path: String

    /// Creates the file for a word of the command line.
    init(_ word: String) {
        // A leading tilde or colon of a relative path has no special meaning.
        path = word.hasPrefix("/") ? word : "./\(word)"
    }

    /// The last component of the path.
    var name: String { String(path.split(separator: "/").last ?? "/") }

    /// The extension of the file in lower case; empty if the name has no extension.
    var fileExtension: String {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 1 ? parts[parts.count - 1].lowercased() : ""
    }

    /// Returns all bytes of the file. Blocks. Throws `notFound` if the file does not exist or must not be read, and
    /// `loadFailed` if it is not a regular file.
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
