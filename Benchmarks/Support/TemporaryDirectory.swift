import CalotypeStandard

/// Temporary directories, which are removed when the row is done.
enum TemporaryDirectory {
    /// Creates a new, empty directory.
    static func make() throws -> URL {
        let directory = FileManager.default.temporaryDirectory.appending(
            path: "calotype-benchmarks-\(UInt64.random(in: 0...UInt64.max))", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        return directory
    }

    /// Removes a directory with its contents.
    static func remove(_ directory: URL) {
        try? FileManager.default.removeItem(at: directory)
    }

    /// Returns the path of a file in a directory.
    static func path(_ name: String, in directory: URL) -> String {
        directory.appending(path: name, directoryHint: .notDirectory).path(percentEncoded: false)
    }
}
