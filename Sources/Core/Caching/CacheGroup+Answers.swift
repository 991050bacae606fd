extension CacheGroup {
    /// The answers of the caches of a group, in their order.
    struct Answers<Value: Sendable>: Sendable {
        /// Nil for those that have not, or were not asked.
        var results: [Result<Value, ImageError>?]

        /// No answers yet, of so many caches.
        init(count: Int) {
            results = Array(repeating: nil, count: count)
        }

        /// The errors of the caches that failed.
        var failures: [ImageError] {
            results.compactMap { result -> ImageError? in
                guard case .failure(let error)? = result else { return nil }
                return error
            }
        }
    }
}

extension CacheGroup.Answers where Value == CacheEntry? {
    /// The entry of the highest cache that has it, and the place of that cache.
    var hit: (place: Int, entry: CacheEntry)? {
        for (place, result) in results.enumerated() {
            if case .success(let entry?)? = result { return (place, entry) }
        }
        return nil
    }
}

extension CacheGroup.Answers where Value == CacheTiers {
    /// All tiers that any of the caches named.
    var found: CacheTiers {
        results.reduce(into: CacheTiers()) { found, result in
            if case .success(let tiers)? = result { found.formUnion(tiers) }
        }
    }
}
