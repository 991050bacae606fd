extension CacheGroup {
    /// A cache of a group.
    struct Member: Sendable {
        let cache: any ImageCache
        /// The cache's own threads, so that one that hangs holds up no other. The first begins with the first call that
        /// is made at once with others.
        let lane = Lane(name: "ct-group", width: 16)

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

    /// The caches that an operation concerns, the highest first.
    struct Choice: Sendable {
        let members: ArraySlice<Member>
        /// Whether they are called at once.
        let isConcurrent: Bool

        /// The same, one after another.
        var inTurn: Choice { Choice(members: members, isConcurrent: false) }
    }
}
