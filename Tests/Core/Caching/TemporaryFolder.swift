import Calotype

/// A folder for one test, which goes with the object. Not made until somebody puts something there.
final class TemporaryFolder: Sendable {
    let url: URL

    init() {
        url = FileManager.default.temporaryDirectory
            .appending(path: "calotype-test-\(UUID().uuidString)", directoryHint: .isDirectory)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Whether anything was made.
    var exists: Bool { FileManager.default.fileExists(atPath: path()) }

    /// The path of something in the folder, or of the folder itself.
    func path(_ name: String = "") -> String { url.appending(path: name).path(percentEncoded: false) }

    /// The paths of all that is in the folder and in those below it.
    func contents() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: path()) }

    /// Puts a file somewhere in the folder, in place of what was there.
    func write(_ data: Data, to path: String, modificationTime: Double? = nil) throws {
        try? FileManager.default.removeItem(atPath: path)
        try data.write(to: URL(filePath: path))
        if let modificationTime { try LocalFileSystem().setModificationTime(modificationTime, of: path) }
    }
}
