extension CacheGroup {
    /// A cache of a group.
    ///
    /// Its threads are its own, so that one that hangs holds up no other. They begin when they are needed.
    struct Member: Sendable {
        let cache: any ImageCache
        /// The lane for calls that are made in parallel with others.
        let lane = Lane(name: "ct-group", width: 16)
        /// The lane for filling the cache: it has few threads beside those of requests.
        let fillLane = Lane(name: "ct-fill", width: 2)

        init(_ cache: any ImageCache) { self.cache = cache }

        /// Returns the answer of the cache, or throws its error with the cache's name.
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
