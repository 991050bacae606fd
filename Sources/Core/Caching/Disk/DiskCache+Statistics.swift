import Dispatch

extension DiskCache {
    /// The number of reads after which hits and misses are written to the ledger, where other processes find them.
    private static let readsBetweenTelling = 1024

    /// The statistics of the calls to this cache so far, and the number and size of the entries in the directory as far
    /// as this cache knows them. The number and the size include changes by other processes. Both are nil until this
    /// cache has counted the directory, or has read the result of an earlier count from it. This happens in the
    /// background after the first store.
    public var statistics: DataCacheStatistics {
        var statistics = counters.withLock { $0 }
        let total = accounts.withLock { $0.ledger == nil ? nil : $0.total }
        statistics.count = total?.count
        statistics.byteCount = total?.byteCount
        return statistics
    }

    /// Counts a read that threw no error.
    /// - Parameters:
    ///   - entry: The entry that was found; nil for a miss.
    ///   - start: The time at which the read began, on the clock of ``TimeSource/now()``.
    func countRead(_ entry: CacheEntry?, since start: Duration) {
        let time = time.now() - start
        let isTimeToTell = counters.withLock { counters -> Bool in
            counters.reading.add(time)
            if let entry {
                counters.hits += 1
                counters.bytesRead += entry.data.count
            } else {
                counters.misses += 1
            }
            return (counters.hits + counters.misses).isMultiple(of: Self.readsBetweenTelling)
        }
        if isTimeToTell { trimmingQueue.async { self.tellNews() } }
    }

    /// Counts a store.
    /// - Parameters:
    ///   - byteCount: The size of the file that was written, in bytes; nil if the store failed.
    ///   - start: The time at which the store began, on the clock of ``TimeSource/now()``.
    func countStore(_ byteCount: Int?, since start: Duration) {
        let time = time.now() - start
        counters.withLock { counters in
            counters.writing.add(time)
            if let byteCount {
                counters.bytesWritten += byteCount
                counters.insertions += 1
            } else {
                counters.failures += 1
            }
        }
    }

    /// Counts a read that threw an error.
    /// - Parameter start: The time at which the read began, on the clock of ``TimeSource/now()``.
    func countFailedRead(since start: Duration) {
        let time = time.now() - start
        counters.withLock { counters in
            counters.reading.add(time)
            counters.failures += 1
        }
    }
}
