import Calotype

/// An adapter that makes the memory tier of an image cache a memory cache, for the checks of memory caches.
final class MemoryTier: MemoryCache {
    private let cache: any ImageCache
    /// The first error of the image cache. It is thrown at the end, because the methods of memory caches cannot throw.
    private let failure = Lock<(any Error)?>(nil)

    init(of cache: any ImageCache) { self.cache = cache }

    /// Runs a check. Throws the error of the image cache, if any, rather than a breach that this error may have caused.
    func run(_ check: MemoryCacheCheck, time: ManualTime) throws {
        let outcome = Result { try MemoryCacheSubject(cache: self, time: time).run(check) }
        if let failure = failure.withLock({ $0 }) { throw failure }
        try outcome.get()
    }

    func image(for key: VariantKey) -> Image? { cache.image(for: key) }

    func peek(at key: VariantKey) -> Image? { cache.peek(at: key) }

    func contains(_ key: VariantKey) -> Bool {
        var found: CacheTiers = []
        attempt { found = try cache.contains(key, in: .memory) }
        return found.contains(.memory)
    }

    func store(_ image: Image, for key: VariantKey, timeToLive: Duration?) {
        cache.store(image, for: key, timeToLive: timeToLive)
    }

    func remove(_ key: VariantKey) { attempt { try cache.remove(key, from: .memory) } }

    func removeAll(of source: SourceKey) { attempt { try cache.removeAll(of: source, from: .memory) } }

    func removeAll(of source: SourceKey, under policy: String) {
        attempt { try cache.removeAll(of: source, under: policy, from: .memory) }
    }

    func clear() { attempt { try cache.clear(.memory) } }

    func variants(of source: SourceKey) -> [VariantKey] { cache.variants(of: source) }

    func remainingTime(for key: VariantKey) -> Duration? { cache.remainingTime(for: key) }

    var statistics: MemoryCacheStatistics { cache.statistics.memory ?? MemoryCacheStatistics() }

    private func attempt(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            failure.withLock { $0 = $0 ?? error }
        }
    }
}
