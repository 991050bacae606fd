import CalotypeStandard

/// Folders that are gone when the row is done.
enum TemporaryFolder {
    /// A new, empty folder.
    static func make() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "calotype-benchmarks-\(UInt64.random(in: 0...UInt64.max))", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// Removes a folder and all that is in it.
    static func remove(_ folder: URL) {
        try? FileManager.default.removeItem(at: folder)
    }

    /// The path of a file in a folder.
    static func path(_ name: String, in folder: URL) -> String {
        folder.appending(path: name, directoryHint: .notDirectory).path(percentEncoded: false)
    }
}
