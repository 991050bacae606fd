extension CacheGroup {
    /// A cache of a group.
    ///
    /// Its threads are its own, so that one that hangs holds up no other. They begin when they are needed.
    struct Member: Sendable {
        let cache: any ImageCache
        /// For calls that are made at once with others.
        let lane = Lane(name: "ct-group", width: 16)
        /// For what it is filled with: few beside those that somebody waits for.
        let fillLane = Lane(name: "ct-fill", width: 2)

        init(_ cache: any ImageCache) { self.cache = cache }

        /// What the cache answers; what it throws, as an error that names it.
        func attempt<Value>(
            _ stage: ImageError.Stage, _ call: (any ImageCache) throws -> Value
        ) -> Result<Value, ImageError> {
            do {
                return .success(try call(cache))
            } catch {
                return .failure(
                    .wrapping(
                        error, as: .cacheFailed, stage: stage, component: typeName(of: cache),
                        message: "the cache failed"))
            }
        }
    }
}
