import CalotypeStandard
import CalotypeTesting

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How often a cache that has room for a part of what is asked for has it there, by policy.
///
/// A row is the misses of S3-FIFO, the default, as a part of those of LRU: below 1 the default finds more.
enum HitRatios {
    /// What is asked for, one request after another. The same in every run.
    enum Trace: String, CaseIterable {
        /// Some pictures are far more popular than most.
        case zipf
        /// The same, but others become popular as time goes by.
        case drift
        /// The same, but now and then somebody goes through very many pictures that nobody has seen.
        case scan
        /// The same, but every third picture or so is never asked for again.
        case oneHitWonders = "one-hit-wonders"
    }

    private static let pictureCount = 10_000
    private static let requestCount = 300_000
    /// So many have room.
    private static let roomCount = pictureCount / 20

    static var benchmarks: [Benchmark] {
        Trace.allCases.map { trace in
            Benchmark(id: "hit-ratio/\(trace.rawValue)", title: "misses of S3-FIFO / LRU, \(trace.rawValue)") {
                let keys = keys(of: trace)
                let (mine, other) = (try hitRatio(.s3FIFO, keys), try hitRatio(.lru, keys))
                return .count(
                    (1 - mine) / (1 - other),
                    text: "of \(requestCount) requests S3-FIFO has \(percent(mine)) there, LRU \(percent(other)); "
                        + "\(roomCount) of \(pictureCount) pictures have room")
            }
        }
    }

    private static func percent(_ ratio: Double) -> String { Table.decimal(ratio * 100, digits: 1) + " %" }

    private static func hitRatio(_ policy: some EvictionPolicy, _ keys: [VariantKey]) throws -> Double {
        let image = Image(pixels: try DrawnPicture.pixels(size: PixelSize(16, 1), isOpaque: true))
        let cache = BoundedMemoryCache(
            costLimit: image.byteCount * roomCount, findsLivingImages: false, trimsUnderPressure: false, policy: policy)
        for key in keys where cache.image(for: key) == nil { cache.store(image, for: key) }
        guard let ratio = cache.statistics.hitRatio, cache.count == roomCount else {
            throw BenchmarkError("the cache holds \(cache.count) pictures, not \(roomCount)")
        }
        return ratio
    }

    // MARK: Traces

    private static func keys(of trace: Trace) -> [VariantKey] {
        var random = SplitMix64(seed: 7)
        let popularity = Popularity(count: pictureCount)
        return (0..<requestCount).map { index in
            let picture = popularity.next(&random)
            // Pictures from here on are asked for once.
            let unseen = pictureCount + requestCount + index
            switch trace {
            case .zipf: return key(picture)
            case .drift: return key(picture + index / 30)
            case .scan: return key(index % 5_500 < 4_000 ? picture : unseen)
            case .oneHitWonders: return key(Int.random(in: 0..<10, using: &random) < 3 ? unseen : picture)
            }
        }
    }

    private static func key(_ picture: Int) -> VariantKey {
        VariantKey(source: SourceKey("https://example.org/pictures/\(picture).jpg"))
    }

    /// Zipf's law with the exponent 0.8: what is asked for as the n-th most often is so in proportion to the n-th part
    /// of it, to the power of that.
    private struct Popularity {
        private var sums: [Double] = []

        init(count: Int) {
            var sum = 0.0
            for rank in 1...count {
                sum += pow(Double(rank), -0.8)
                sums.append(sum)
            }
        }

        func next(_ random: inout SplitMix64) -> Int {
            let place = Double.random(in: 0..<sums[sums.count - 1], using: &random)
            var range = 0..<sums.count
            while range.count > 1 {
                let middle = range.lowerBound + range.count / 2
                range = sums[middle - 1] > place ? range.lowerBound..<middle : middle..<range.upperBound
            }
            return range.lowerBound
        }
    }
}
