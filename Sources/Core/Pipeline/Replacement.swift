/// What an original takes the place of: that goes when this one has decoded, and not before, so that what a cache has
/// is not lost to something that is no image.
final class Replacement: Sendable {
    private let removal = Lock<Task<Void, Never>?>(nil)

    /// Does `remove`, the first time that it is called; returns when it is done.
    func take(_ remove: @escaping @Sendable () async -> Void) async {
        let task = removal.withLock { removal in
            let task = removal ?? Task.detached { await remove() }
            removal = task
            return task
        }
        await task.value
    }
}
