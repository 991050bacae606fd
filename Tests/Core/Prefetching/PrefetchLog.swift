import Calotype

/// A log of the calls of a prefetcher's delegate and of the closures of its lists, in a common order.
final class PrefetchLog: ImagePrefetcherDelegate {
    enum Entry: Hashable {
        case delegate(PrefetchProgress)
        case end(PrefetchProgress)
        case list(PrefetchProgress)
    }

    private let state = Lock<[Entry]>([])

    var entries: [Entry] { state.withLock { $0 } }

    /// The calls of the lists' closures.
    var lists: [PrefetchProgress] {
        entries.compactMap { entry in
            if case .list(let progress) = entry { return progress }
            return nil
        }
    }

    /// The number of calls for the end of the last list.
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
