import Calotype

/// Remembers what a prefetcher's delegate and the closures of its lists are told, in one order.
final class PrefetchLog: ImagePrefetcherDelegate {
    enum Entry: Hashable {
        case delegate(PrefetchProgress)
        case end(PrefetchProgress)
        case list(PrefetchProgress)
    }

    private let state = Lock<[Entry]>([])

    var entries: [Entry] { state.withLock { $0 } }

    /// What closures of lists were told.
    var lists: [PrefetchProgress] {
        entries.compactMap { entry in
            if case .list(let progress) = entry { return progress }
            return nil
        }
    }

    /// How often the last list has ended.
    var endCount: Int {
        entries.count(where: { entry in
            if case .end = entry { return true }
            return false
        })
    }

    func didPrefetch(_ request: ImageRequest, progress: PrefetchProgress) {
        state.withLock { $0.append(.delegate(progress)) }
    }

    func didFinish(_ progress: PrefetchProgress) {
        state.withLock { $0.append(.end(progress)) }
    }

    func note(_ progress: PrefetchProgress) {
        state.withLock { $0.append(.list(progress)) }
    }
}
