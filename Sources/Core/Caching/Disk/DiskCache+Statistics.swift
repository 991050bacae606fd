import Dispatch

extension DiskCache {
    /// The number of reads after which counts are written to the ledger for other processes.
    private static let readsBetweenTelling = 1024

    /// The work of this cache so far, and the contents of the directory according to the processes that share it. The
    /// contents are nil before the first store.
    public var statistics: DataCacheStatistics {
        var statistics = counters.withLock { $0 }
        let total = accounts.withLock { $0.ledger == nil ? nil : $0.total }
        statistics.count = total?.count
        statistics.byteCount = total?.byteCount
        return statistics
    }

    /// Counts a read that began at `start`.
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

    /// Counts a store that began at `start`. Pass nil bytes if it failed.
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

    /// Counts a read that threw.
    func countFailedRead(since start: Duration) {
        let time = time.now() - start
        counters.withLock { counters in
            counters.reading.add(time)
            counters.failures += 1
        }
    }
}
