import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Trimming half of 100,000 entries, compared with removing known files.
///
/// Measured once, because a directory takes long to fill and can be trimmed only once.
enum DiskTrimming {
    private static let removedCount = LargeDirectories.count / 2

    static func benchmarks(_ directories: LargeDirectories) -> [Benchmark] {
        let hand = Hand()
        return [
            row("disk/trim", title: "trim half of 100,000 entries / by hand", directories, hand) { filled in
                let byteCount = filled.cache.statistics.byteCount ?? 0
                let seconds = try timed { try filled.cache.trim(toByteCount: byteCount / 2) }
                return (filled.cache, seconds)
            },
            row("disk/trim-background", title: "the same in the background / by hand", directories, hand) { filled in
                let key = VariantKey(source: SourceKey("https://example.org/one-too-many.jpg"))
                let seconds = try timed {
                    try filled.fullCache.store(CacheEntry(data: LargeDirectories.bytes), for: key)
                    filled.fullCache.waitForTrimming()
                }
                return (filled.fullCache, seconds)
            },
        ]
    }

    /// - Parameter trim: Trims a cache by half. Returns the cache and the seconds that this took.
    private static func row(
        _ id: String, title: String, _ directories: LargeDirectories, _ hand: Hand,
        trim: @escaping (LargeDirectories.Filled) throws -> (cache: DiskCache, seconds: Double)
    ) -> Benchmark {
        Benchmark(id: id, title: title) {
            let filled = try await directories.filled()
            // The peer runs first. Removing slows a disk down for minutes, which then counts against the library.
            let theirs = try hand.remove(filled.files)
            let ours = try trim(filled)
            let evictions = ours.cache.statistics.evictions
            // Two threads filled the directory, so the end of its older half is not known exactly.
            guard abs(evictions - removedCount) <= LargeDirectories.count / 100 else {
                throw BenchmarkError("\(evictions) entries were removed, not \(removedCount)")
            }
            return .count(
                ours.seconds / theirs,
                text: "\(Table.decimal(ours.seconds, digits: 2)) s, by hand \(Table.decimal(theirs, digits: 2)) s, "
                    + "once, for \(removedCount) of \(LargeDirectories.count) files")
        }
    }

    /// Returns the duration of `body`, after flushing all writes to the disk, which would otherwise be measured too.
    fileprivate static func timed(_ body: () throws -> Void) rethrows -> Double {
        sync()
        let start = ContinuousClock.now
        try body()
        return start.duration(to: ContinuousClock.now).seconds
    }

    /// Removes the older half of the files by hand, once for both rows.
    private final class Hand {
        private var known: Double?

        /// Returns the seconds that the removal took.
        func remove(_ files: [BareFile]) throws -> Double {
            if let known { return known }
            let taken = try timed {
                for (index, file) in files.prefix(removedCount).enumerated() {
                    let isLast = (index + 1).isMultiple(of: LargeDirectories.entriesPerPicture)
                    try file.remove(isLast: isLast)
                }
            }
            known = taken
            return taken
        }
    }
}
