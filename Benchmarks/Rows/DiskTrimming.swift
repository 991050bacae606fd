import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Trimming half of 100,000 entries, beside removing files of which it is known that they have to go.
///
/// Measured once: a directory can be trimmed by half but once, and takes long to fill.
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

    /// - Parameter trim: Trims a cache by half; which one, and the seconds that it took.
    private static func row(
        _ id: String, title: String, _ directories: LargeDirectories, _ hand: Hand,
        trim: @escaping (LargeDirectories.Filled) throws -> (cache: DiskCache, seconds: Double)
    ) -> Benchmark {
        Benchmark(id: id, title: title) {
            let filled = try await directories.filled()
            // First, since removing slows a disk down for minutes: that then counts against us.
            let theirs = try hand.remove(filled.files)
            let ours = try trim(filled)
            let evictions = ours.cache.statistics.evictions
            // Two threads filled the directory: where its half ends is not known to the entry.
            guard abs(evictions - removedCount) <= LargeDirectories.count / 100 else {
                throw BenchmarkError("\(evictions) entries were removed, not \(removedCount)")
            }
            return .count(
                ours.seconds / theirs,
                text: "\(Table.decimal(ours.seconds, digits: 2)) s, by hand \(Table.decimal(theirs, digits: 2)) s, "
                    + "once, for \(removedCount) of \(LargeDirectories.count) files")
        }
    }

    /// How long something takes, once all that was written is on the disk: it would else be measured with it.
    fileprivate static func timed(_ body: () throws -> Void) rethrows -> Double {
        sync()
        let start = ContinuousClock.now
        try body()
        return start.duration(to: ContinuousClock.now).seconds
    }

    /// Removes the older half of the files, once for both rows.
    private final class Hand {
        private var known: Double?

        /// The seconds that it took.
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
