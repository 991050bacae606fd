import Calotype

/// Directories for caches that are tried, which go with the object.
final class TemporaryDirectories: Sendable {
    private let directories = Lock<[URL]>([])

    deinit {
        for directory in directories.withLock({ $0 }) { try? FileManager.default.removeItem(at: directory) }
    }

    /// The directory that was made last.
    var last: URL? { directories.withLock { $0.last } }

    /// A directory that is not there yet.
    func make() -> URL {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "calotype-check-\(UUID().uuidString)", directoryHint: .isDirectory)
        directories.withLock { $0.append(directory) }
        return directory
    }
}
