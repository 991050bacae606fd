import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A directory for one test, which is removed with the object. It is created when the first file is written.
final class TemporaryDirectory: Sendable {
    /// The path, without a slash at the end.
    let root: String

    init() {
        root = FileManager.default.temporaryDirectory
            .appending(path: "calotype-test-\(UUID().uuidString)", directoryHint: .notDirectory)
            .path(percentEncoded: false)
    }

    deinit {
        // Repeated, since a cache that was not awaited may be writing its ledger.
        for _ in 0..<3 where (try? FileManager.default.removeItem(atPath: root)) != nil { return }
    }

    var url: URL { URL(filePath: root, directoryHint: .isDirectory) }

    /// Whether the directory was created.
    var exists: Bool { FileManager.default.fileExists(atPath: root) }

    /// Returns the path of an item in the directory.
    func path(_ name: String) -> String { "\(root)/\(name)" }

    /// Returns the relative paths of all items in the directory and its subdirectories.
    func contents() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: root) }

    /// Returns the permissions of a file or directory; nil if it does not exist.
    func permissions(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    /// Writes a file in the directory, replacing any item at the path.
    func write(_ data: Data, to path: String, modificationTime: Double? = nil) throws {
        try? FileManager.default.removeItem(atPath: path)
        try data.write(to: URL(filePath: path))
        if let modificationTime { try LocalFileSystem().setModificationTime(modificationTime, of: path) }
    }
}
