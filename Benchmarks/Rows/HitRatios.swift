import CalotypeStandard
import CalotypeTesting

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The hit ratios of cache policies, with room for a part of the requested pictures.
///
/// A row is the misses of S3-FIFO, the default, divided by those of LRU: below 1 the default finds more.
enum HitRatios {
    /// A sequence of requests, the same in every run.
    enum Trace: String, CaseIterable {
        /// Zipf's law: some pictures are far more popular than most.
        case zipf
        /// Zipf's law, with popularity that moves to other pictures over time.
        case drift
        /// Zipf's law, with scans over many pictures that were never requested before.
        case scan
        /// Zipf's law, but about three in ten requests are for a picture that is never requested again.
        case oneHitWonders = "one-hit-wonders"
    }

    private static let pictureCount = 10_000
    private static let requestCount = 300_000
    /// The number of pictures that the cache has room for.
    private static let roomCount = pictureCount / 20

    static var benchmarks: [Benchmark] {
        Trace.allCases.map { trace in
            Benchmark(id: "hit-ratio/\(trace.rawValue)", title: "misses of S3-FIFO / LRU, \(trace.rawValue)") {
                let keys = keys(of: trace)
                let (mine, other) = (try hitRatio(.s3FIFO, keys), try hitRatio(.lru, keys))
                return .count(
                    (1 - mine) / (1 - other),
                    text: "S3-FIFO hits \(percent(mine)) of \(requestCount) requests, LRU \(percent(other)); "
                        + "\(roomCount) of \(pictureCount) pictures fit into the cache")
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
            // Pictures from here on are requested once.
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

    /// Zipf's law with the exponent 0.8: the frequency of the n-th most popular picture is proportional to n to the
    /// power of -0.8.
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
