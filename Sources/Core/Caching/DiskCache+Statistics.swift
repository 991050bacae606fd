extension DiskCache {
    /// What the cache has done so far.
    public var statistics: DiskCacheStatistics { counters.withLock { $0 } }

    /// Counts a read that began at `start`.
    func countRead(_ entry: CacheEntry?, since start: Duration) {
        let time = time.now() - start
        counters.withLock { counters in
            counters.reading.add(time)
            if let entry {
                counters.hits += 1
                counters.bytesRead += entry.data.count
            } else {
                counters.misses += 1
            }
        }
    }

    /// Counts a store that began at `start`; of no bytes when it failed.
    func countStore(_ byteCount: Int?, since start: Duration) {
        let time = time.now() - start
        counters.withLock { counters in
            counters.writing.add(time)
            if let byteCount {
                counters.bytesWritten += byteCount
            } else {
                counters.failures += 1
            }
        }
    }

    /// Counts a read that threw.
    func countFailedRead(since start: Duration) {
        let time = time.now() - start
        counters.withLock { counters in
            counters.reading.add(time)
            counters.failures += 1
        }
    }
}
