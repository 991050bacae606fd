import Calotype

/// Directories for tested caches, which are removed with the object.
final class TemporaryDirectories: Sendable {
    private let directories = Lock<[URL]>([])

    deinit {
        for directory in directories.withLock({ $0 }) { try? FileManager.default.removeItem(at: directory) }
    }

    /// The most recent directory.
    var last: URL? { directories.withLock { $0.last } }

    /// Returns a directory that does not exist yet.
    func make() -> URL {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "calotype-check-\(UUID().uuidString)", directoryHint: .isDirectory)
        directories.withLock { $0.append(directory) }
        return directory
    }
}
