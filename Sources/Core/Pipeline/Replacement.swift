/// What a load brings in place of what caches have of its source.
///
/// That goes when the new original has decoded, and not before, so that what a cache has is not lost to something that
/// is no image. Of several loads that are under way at once, one that has replaced something is the last word: what the
/// others bring, and what is made of that, is delivered but neither kept nor replaces anything, since it may be older.
final class Replacement: Sendable {
    private struct State {
        /// How many replacements there had been when the load began; with this one, once it is one.
        var number: Int
        var removal: Task<Void, Never>?
    }

    private let isDue: Bool
    private let source: SourceKey
    private let changes: CacheChanges
    private let state: Lock<State>

    /// Made before the load begins.
    /// - Parameters:
    ///   - source: What is loaded.
    ///   - changes: Where replacements are counted.
    ///   - isDue: Whether there may be something to be replaced.
    init(of source: SourceKey, among changes: CacheChanges, isDue: Bool) {
        self.isDue = isDue
        self.source = source
        self.changes = changes
        state = Lock(State(number: changes.replacementCount))
    }

    /// Whether nothing else has replaced anything of the source since the load began.
    var isLatest: Bool { state.withLock { !changes.haveReplaced(source, since: $0.number) } }

    /// Does `remove`, the first time that it is called, where there may be something to be replaced and nothing else
    /// has done so since the load began; returns when it is done.
    func take(_ remove: @escaping @Sendable () async -> Void) async {
        guard isDue else { return }
        // The number follows under the lock: nobody is to find that this one has been replaced by itself.
        let removal = state.withLock { state -> Task<Void, Never>? in
            if let removal = state.removal { return removal }
            guard let number = changes.beginReplacing(source, since: state.number) else { return nil }
            let removal = Task.detached { [changes, source] in
                await remove()
                changes.end(source)
            }
            state = State(number: number, removal: removal)
            return removal
        }
        await removal?.value
    }
}
