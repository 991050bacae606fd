extension CacheStatistics {
    /// Returns the sum of the statistics of two caches. A tier is nil if neither cache has it.
    public static func + (one: CacheStatistics, other: CacheStatistics) -> CacheStatistics {
        var sum = one
        sum += other
        return sum
    }

    /// Adds the statistics of another cache.
    public static func += (sum: inout CacheStatistics, other: CacheStatistics) {
        if let memory = other.memory { sum.memory = (sum.memory ?? MemoryCacheStatistics()) + memory }
        if let disk = other.disk { sum.disk = (sum.disk ?? DataCacheStatistics()) + disk }
    }
}

extension MemoryCacheStatistics {
    /// Returns the sum of the statistics of two caches.
    public static func + (one: MemoryCacheStatistics, other: MemoryCacheStatistics) -> MemoryCacheStatistics {
        var sum = one
        sum += other
        return sum
    }

    /// Adds the statistics of another cache.
    public static func += (sum: inout MemoryCacheStatistics, other: MemoryCacheStatistics) {
        sum.hits += other.hits
        sum.weakHits += other.weakHits
        sum.misses += other.misses
        sum.insertions += other.insertions
        sum.evictions += other.evictions
        sum.expirations += other.expirations
        sum.count += other.count
        sum.byteCount += other.byteCount
    }
}

extension DataCacheStatistics {
    /// Returns the sum of the statistics of two caches. If only one of them knows its number of entries or bytes, the
    /// sum has that number.
    public static func + (one: DataCacheStatistics, other: DataCacheStatistics) -> DataCacheStatistics {
        var sum = one
        sum += other
        return sum
    }

    /// Adds the statistics of another cache.
    public static func += (sum: inout DataCacheStatistics, other: DataCacheStatistics) {
        sum.hits += other.hits
        sum.misses += other.misses
        sum.failures += other.failures
        sum.bytesRead += other.bytesRead
        sum.bytesWritten += other.bytesWritten
        sum.insertions += other.insertions
        sum.evictions += other.evictions
        sum.expirations += other.expirations
        sum.repairs += other.repairs
        sum.reading += other.reading
        sum.writing += other.writing
        sum.count = known(sum.count, other.count)
        sum.byteCount = known(sum.byteCount, other.byteCount)
    }

    /// Returns the sum of two numbers. If only one is known, returns that number. Returns nil if both are nil.
    private static func known(_ one: Int?, _ other: Int?) -> Int? {
        guard let one, let other else { return one ?? other }
        return one + other
    }
}

extension DataCacheStatistics.Latency {
    /// Returns the combined latency of the calls to two caches.
    public static func + (
        one: DataCacheStatistics.Latency, other: DataCacheStatistics.Latency
    ) -> DataCacheStatistics.Latency {
        var sum = one
        sum += other
        return sum
    }

    /// Adds the latencies of another cache.
    public static func += (sum: inout DataCacheStatistics.Latency, other: DataCacheStatistics.Latency) {
        sum.count += other.count
        sum.total += other.total
        sum.longest = max(sum.longest, other.longest)
    }
}
