import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A directory for one test, which goes with the object. Not made until somebody puts something there.
final class TemporaryDirectory: Sendable {
    /// Its path, without a slash at the end.
    let root: String

    init() {
        root = FileManager.default.temporaryDirectory
            .appending(path: "calotype-test-\(UUID().uuidString)", directoryHint: .notDirectory)
            .path(percentEncoded: false)
    }

    deinit {
        // More than once: a cache that nobody waited for may be writing its ledger.
        for _ in 0..<3 where (try? FileManager.default.removeItem(atPath: root)) != nil { return }
    }

    var url: URL { URL(filePath: root, directoryHint: .isDirectory) }

    /// Whether anything was made.
    var exists: Bool { FileManager.default.fileExists(atPath: root) }

    /// The path of something in the directory.
    func path(_ name: String) -> String { "\(root)/\(name)" }

    /// All that is in the directory and in those below it, as paths from here.
    func contents() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: root) }

    /// The permissions of a file or a directory; nil where there is none.
    func permissions(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    /// Puts a file somewhere in the directory, in place of what was there.
    func write(_ data: Data, to path: String, modificationTime: Double? = nil) throws {
        try? FileManager.default.removeItem(atPath: path)
        try data.write(to: URL(filePath: path))
        if let modificationTime { try LocalFileSystem().setModificationTime(modificationTime, of: path) }
    }
}
