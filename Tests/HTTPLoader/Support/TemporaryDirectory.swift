#if HTTP
import Foundation

/// A directory for one test, which is removed with the object.
final class TemporaryDirectory: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "calotype-http-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// The path, with a slash at the end.
    var path: String { url.path(percentEncoded: false) }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file and returns its URL.
    @discardableResult
    func write(_ data: Data, _ name: String) throws -> URL {
        let file = url.appending(path: name, directoryHint: .notDirectory)
        try data.write(to: file)
        return file
    }

    /// The paths and the bytes of all files, including those in subdirectories.
    var contents: [(path: String, data: Data)] {
        let paths = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String }
        return (paths ?? []).map { ($0, FileManager.default.contents(atPath: path + $0) ?? Data()) }
    }
}
#endif
