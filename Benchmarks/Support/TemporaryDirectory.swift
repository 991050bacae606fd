import CalotypeStandard

/// Directories that are gone when the row is done.
enum TemporaryDirectory {
    /// A new, empty directory.
    static func make() throws -> URL {
        let directory = FileManager.default.temporaryDirectory.appending(
            path: "calotype-benchmarks-\(UInt64.random(in: 0...UInt64.max))", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        return directory
    }

    /// Removes a directory and all that is in it.
    static func remove(_ directory: URL) {
        try? FileManager.default.removeItem(at: directory)
    }

    /// The path of a file in a directory.
    static func path(_ name: String, in directory: URL) -> String {
        directory.appending(path: name, directoryHint: .notDirectory).path(percentEncoded: false)
    }
}
