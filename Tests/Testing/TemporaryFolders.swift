import Calotype

/// Folders for caches that are tried, which go with the object.
final class TemporaryFolders: Sendable {
    private let folders = Lock<[URL]>([])

    deinit {
        for folder in folders.withLock({ $0 }) { try? FileManager.default.removeItem(at: folder) }
    }

    /// The folder that was made last.
    var last: URL? { folders.withLock { $0.last } }

    /// A folder that is not there yet.
    func make() -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "calotype-check-\(UUID().uuidString)", directoryHint: .isDirectory)
        folders.withLock { $0.append(folder) }
        return folder
    }
}
