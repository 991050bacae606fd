import CalotypeTesting
import Dispatch
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct BoundedMemoryCacheTests {
    /// The cost of an image of one unit: a row of sixteen pixels.
    private let unit = 64

    private func makeImage(units: Int = 1) throws -> Image {
        let builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(16, units)))
        return Image(pixels: builder.finish())
    }

    private func makeKey(_ source: String, _ variant: String = "") -> VariantKey {
        VariantKey(source: SourceKey(source), variant: variant)
    }

    // MARK: Storing and finding

    @Test func `a stored image is found until it is removed`() throws {
        let cache = BoundedMemoryCache(trimsUnderPressure: false)
        let image = try makeImage(units: 3)
        let key = makeKey("a", "half")
        let isFoundBefore = cache.image(for: key) != nil
        #expect(!isFoundBefore)
        #expect(!cache.contains(key))

        cache.store(image, for: key)
        let found = try #require(cache.image(for: makeKey("a", "half")))
        #expect(found.isIdentical(to: image))
        #expect(cache.contains(key))
        #expect(!cache.contains(makeKey("a")))
        #expect(cache.count == 1)
        #expect(cache.totalCost == 3 * unit)

        cache.remove(key)
        cache.remove(key)
        let isFoundAfter = cache.image(for: key) != nil
        #expect(!isFoundAfter)
        #expect(cache.count == 0)
        #expect(cache.totalCost == 0)
    }

    @Test func `a stored image replaces the one under its key`() throws {
        let cache = BoundedMemoryCache(trimsUnderPressure: false)
        let image = try makeImage(units: 5)
        try cache.store(makeImage(units: 2), for: makeKey("a"))
        cache.store(image, for: makeKey("a"))
        let found = try #require(cache.image(for: makeKey("a")))
        #expect(found.isIdentical(to: image))
        #expect(cache.count == 1)
        #expect(cache.totalCost == 5 * unit)
    }

    @Test(arguments: EvictionPolicyTests.Kind.allCases)
    func `a larger image under the same key evicts others and stays`(kind: EvictionPolicyTests.Kind) throws {
        let cache = kind.cache(costLimit: 10 * unit)
        try cache.store(makeImage(units: 4), for: makeKey("a"))
        try cache.store(makeImage(units: 4), for: makeKey("b"))
        try cache.store(makeImage(units: 6), for: makeKey("a"))
        #expect(cache.contains(makeKey("b")))
        #expect(cache.totalCost == 10 * unit)
        try cache.store(makeImage(units: 8), for: makeKey("a"))
        #expect(cache.contains(makeKey("a")))
        #expect(!cache.contains(makeKey("b")))
        #expect(cache.totalCost == 8 * unit)
    }

    @Test func `an image larger than the limit is not kept, and the old one under its key is removed`() throws {
        let cache = BoundedMemoryCache(costLimit: 4 * unit, trimsUnderPressure: false)
        try cache.store(makeImage(units: 1), for: makeKey("a"))
        try cache.store(makeImage(units: 1), for: makeKey("b"))
        try cache.store(makeImage(units: 5), for: makeKey("a"))
        #expect(!cache.contains(makeKey("a")))
        #expect(cache.contains(makeKey("b")))
        #expect(cache.totalCost == unit)

        try cache.store(makeImage(units: 4), for: makeKey("a"))
        #expect(cache.contains(makeKey("a")))
        #expect(!cache.contains(makeKey("b")))
    }

    @Test func `clearing removes everything, and the cache still works`() throws {
        let cache = BoundedMemoryCache(trimsUnderPressure: false)
        for number in 0..<10 { try cache.store(makeImage(), for: makeKey("\(number)")) }
        cache.clear()
        #expect(cache.count == 0)
        #expect(cache.totalCost == 0)
        try cache.store(makeImage(), for: makeKey("5"))
        #expect(cache.contains(makeKey("5")))
        #expect(cache.count == 1)
        #expect(cache.totalCost == unit)
    }

    // MARK: Removing a source

    @Test func `removing a source under a policy leaves its images under other policies`() throws {
        let cache = BoundedMemoryCache(trimsUnderPressure: false)
        let keys = ["", "user=a", "user=b"].flatMap { policy in
            ["", "half"].map { VariantKey(source: SourceKey("a"), policy: policy, variant: $0) }
        }
        let others = [makeKey("b"), VariantKey(source: SourceKey("b"), policy: "user=a")]
        for key in keys + others { try cache.store(makeImage(), for: key) }
        cache.removeAll(of: SourceKey("a"), under: "user=a")
        for key in keys { #expect(cache.contains(key) == (key.policy != "user=a"), "\(key)") }
        for key in others { #expect(cache.contains(key)) }
        cache.removeAll(of: SourceKey("a"), under: "")
        for key in keys { #expect(cache.contains(key) == (key.policy == "user=b"), "\(key)") }
        cache.removeAll(of: SourceKey("never"), under: "")
        #expect(cache.count == 4)
    }

    @Test func `removing a source removes all of its variants and nothing else`() throws {
        let cache = BoundedMemoryCache(trimsUnderPressure: false)
        let gone = [makeKey("a"), makeKey("a", "half"), makeKey("a", "third")]
        let policed = VariantKey(source: SourceKey("a"), policy: "strict")
        let kept = [makeKey("b"), makeKey("b", "half"), makeKey("ab")]
        for key in gone + kept + [policed] { try cache.store(makeImage(), for: key) }
        cache.removeAll(of: SourceKey("a"))
        for key in gone + [policed] { #expect(!cache.contains(key)) }
        for key in kept { #expect(cache.contains(key)) }
        #expect(cache.count == kept.count)
        #expect(cache.totalCost == kept.count * unit)

        cache.removeAll(of: SourceKey("a"))
        #expect(cache.count == kept.count)
        try cache.store(makeImage(), for: gone[1])
        cache.removeAll(of: SourceKey("b"))
        #expect(cache.contains(gone[1]))
        #expect(cache.count == 2)
    }

    // MARK: Limits

    @Test func `a cache without limits gets the default cost limit and no count limit`() {
        let cache = BoundedMemoryCache(trimsUnderPressure: false)
        #expect(cache.costLimit == BoundedMemoryCache.defaultCostLimit)
        #expect(cache.countLimit == .max)
        #expect((1...(1 << 30)).contains(BoundedMemoryCache.defaultCostLimit))
    }

    @Test(arguments: EvictionPolicyTests.Kind.allCases)
    func `lowering a limit evicts at once`(kind: EvictionPolicyTests.Kind) throws {
        let cache = kind.cache(costLimit: 20 * unit)
        for number in 0..<20 { try cache.store(makeImage(), for: makeKey("\(number)")) }
        #expect(cache.count == 20)

        cache.costLimit = 12 * unit + 1
        #expect(cache.totalCost == 12 * unit)
        cache.countLimit = 5
        #expect(cache.count == 5)
        #expect(cache.totalCost == 5 * unit)
        cache.costLimit = -1
        #expect(cache.costLimit == 0)
        #expect(cache.count == 0)
    }

    @Test func `raising a limit makes room`() throws {
        let cache = BoundedMemoryCache(costLimit: 10 * unit, countLimit: 0, trimsUnderPressure: false)
        try cache.store(makeImage(), for: makeKey("a"))
        #expect(cache.count == 0)
        cache.countLimit = 2
        for name in ["a", "b", "c"] { try cache.store(makeImage(), for: makeKey(name)) }
        #expect(cache.count == 2)
        cache.countLimit = .max
        try cache.store(makeImage(), for: makeKey("d"))
        #expect(cache.count == 3)
    }

    @Test func `trimming evicts and leaves the limits`() throws {
        let cache = BoundedMemoryCache(costLimit: 10 * unit, trimsUnderPressure: false)
        for number in 0..<10 { try cache.store(makeImage(), for: makeKey("\(number)")) }
        cache.trim(to: 4 * unit)
        #expect(cache.totalCost == 4 * unit)
        #expect(cache.costLimit == 10 * unit)
        cache.trim(to: -1)
        #expect(cache.count == 0)
        #expect(cache.totalCost == 0)
    }

    // MARK: Eviction

    @Test func `a lookup counts as a use, and contains does not`() throws {
        let cache = BoundedMemoryCache(costLimit: 3 * unit, trimsUnderPressure: false, policy: .lru)
        for name in ["a", "b", "c"] { try cache.store(makeImage(), for: makeKey(name)) }
        _ = cache.image(for: makeKey("a"))
        #expect(cache.contains(makeKey("b")))
        try cache.store(makeImage(), for: makeKey("d"))
        #expect(!cache.contains(makeKey("b")))
        try cache.store(makeImage(), for: makeKey("e"))
        #expect(!cache.contains(makeKey("c")))
        #expect(cache.contains(makeKey("a")))
    }

    @Test(arguments: [(EvictionPolicyTests.Kind.s3FIFO, 5), (EvictionPolicyTests.Kind.lru, 0)])
    func `images in use survive a scan with S3-FIFO but not with LRU`(
        kind: EvictionPolicyTests.Kind, survivors: Int
    ) throws {
        let cache = kind.cache(costLimit: 20 * unit)
        let image = try makeImage()
        let inUse = (0..<5).map { makeKey("in use \($0)") }
        for key in inUse {
            cache.store(image, for: key)
            for _ in 0..<2 { _ = cache.image(for: key) }
        }
        for number in 0..<200 { cache.store(image, for: makeKey("seen once \(number)")) }
        #expect(inUse.filter { cache.contains($0) }.count == survivors)
        #expect(cache.count == 20)
    }

    /// The largest image goes first.
    private struct LargestFirstPolicy: EvictionPolicy {
        private var costs: [Int: Int] = [:]

        mutating func insert(_ slot: Int, fingerprint: Int, cost: Int) { costs[slot] = cost }
        mutating func touch(_ slot: Int) {}
        mutating func remove(_ slot: Int) { costs[slot] = nil }
        mutating func evict() -> Int? {
            let largest = costs.max { $0.value < $1.value }?.key
            if let largest { remove(largest) }
            return largest
        }
    }

    @Test func `a client can supply its own eviction policy`() throws {
        let cache = BoundedMemoryCache(costLimit: 12 * unit, trimsUnderPressure: false, policy: LargestFirstPolicy())
        for units in 1...4 { try cache.store(makeImage(units: units), for: makeKey("\(units)")) }
        try cache.store(makeImage(units: 3), for: makeKey("another"))
        #expect(!cache.contains(makeKey("4")))
        // The replacement of the smallest image needs more room, which the largest makes.
        try cache.store(makeImage(units: 5), for: makeKey("1"))
        #expect(cache.contains(makeKey("1")))
        #expect(cache.contains(makeKey("2")))
        #expect(cache.totalCost <= 12 * unit)
    }

    // MARK: Statistics

    @Test func `statistics count each lookup once, and the images that are held`() throws {
        let cache = EvictionPolicyTests.Kind.lru.cache(costLimit: 3 * unit)
        #expect(cache.statistics == MemoryCacheStatistics())
        #expect(cache.statistics.hitRatio == nil)
        for (name, units) in [("a", 1), ("b", 1), ("a", 2), ("c", 1), ("d", 4)] {
            try cache.store(makeImage(units: units), for: makeKey(name))
        }
        for name in ["a", "c", "b", "e"] { _ = cache.image(for: makeKey(name)) }
        _ = cache.contains(makeKey("a"))

        var expected = MemoryCacheStatistics()
        expected.insertions = 4
        expected.evictions = 1
        expected.hits = 2
        expected.misses = 2
        expected.count = 2
        expected.byteCount = 3 * unit
        #expect(cache.statistics == expected)
        #expect(cache.statistics.hitRatio == 0.5)

        cache.trim(to: unit)
        cache.remove(makeKey("c"))
        expected.evictions = 2
        expected.count = 0
        expected.byteCount = 0
        #expect(cache.statistics == expected)
    }

    @Test func `the variants of a source are those in the cache`() throws {
        let cache = BoundedMemoryCache(countLimit: 3, trimsUnderPressure: false, policy: .lru)
        for key in [makeKey("a"), makeKey("a", "half"), makeKey("b"), makeKey("a", "third")] {
            try cache.store(makeImage(), for: key)
        }
        #expect(Set(cache.variants(of: SourceKey("a"))) == [makeKey("a", "half"), makeKey("a", "third")])
        #expect(cache.variants(of: SourceKey("b")) == [makeKey("b")])
        #expect(cache.variants(of: SourceKey("c")).isEmpty)
    }

    // MARK: Random calls and threads

    @Test(arguments: EvictionPolicyTests.Kind.allCases, [11, 12, 13] as [UInt64])
    func `limits and totals hold after any sequence of calls`(kind: EvictionPolicyTests.Kind, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let images = try (1...6).map { try makeImage(units: $0) }
        let keys = (0..<30).map { makeKey("source \($0 % 6)", "variant \($0 / 6)") }
        let cache = kind.cache(costLimit: 40 * unit, countLimit: 15)
        // The image that was stored last under each key and not removed. The cache may have evicted it.
        var model: [VariantKey: Image] = [:]
        for _ in 0..<2_000 {
            let key = keys[Int.random(in: 0..<keys.count, using: &random)]
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<40:
                let image = images[Int.random(in: 0..<images.count, using: &random)]
                cache.store(image, for: key)
                model[key] = image
                let fits = image.byteCount <= cache.costLimit && cache.countLimit > 0
                #expect(cache.contains(key) == fits)
                if !fits { model[key] = nil }
            case 40..<85:
                if let found = cache.image(for: key) {
                    let isTheLast = model[key]?.isIdentical(to: found) ?? false
                    #expect(isTheLast)
                }
            case 85..<89:
                cache.remove(key)
                model[key] = nil
            case 89..<91:
                cache.removeAll(of: key.source)
                model = model.filter { $0.key.source != key.source }
            case 91..<94:
                cache.costLimit = Int.random(in: 0..<60, using: &random) * unit
            case 94..<97:
                cache.countLimit = Int.random(in: 0..<20, using: &random)
            case 97..<99:
                cache.trim(to: Int.random(in: 0..<40, using: &random) * unit)
            default:
                cache.clear()
                model = [:]
            }
            let kept = keys.filter { cache.contains($0) }
            let known = kept.compactMap { model[$0] }
            #expect(known.count == kept.count)
            #expect(cache.count == kept.count)
            #expect(cache.totalCost == known.reduce(0) { $0 + $1.byteCount })
            #expect(cache.totalCost <= cache.costLimit)
            #expect(cache.count <= cache.countLimit)
        }
    }

    @Test(arguments: EvictionPolicyTests.Kind.allCases)
    func `totals hold when many threads use the cache`(kind: EvictionPolicyTests.Kind) throws {
        let images = try (1...4).map { try makeImage(units: $0) }
        let keys = (0..<64).map { makeKey("source \($0 % 8)", "variant \($0 / 8)") }
        let cache = kind.cache(costLimit: 50 * unit, countLimit: 25)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            var random = SplitMix64(seed: UInt64(thread))
            for _ in 0..<2_000 {
                let key = keys[Int.random(in: 0..<keys.count, using: &random)]
                switch Int.random(in: 0..<100, using: &random) {
                case 0..<40: cache.store(images[Int.random(in: 0..<images.count, using: &random)], for: key)
                case 40..<90: _ = cache.image(for: key)
                case 90..<95: cache.remove(key)
                case 95..<97: cache.removeAll(of: key.source)
                case 97: cache.costLimit = Int.random(in: 20..<60, using: &random) * unit
                case 98: cache.countLimit = Int.random(in: 10..<40, using: &random)
                default: cache.trim(to: 10 * unit)
                }
            }
        }
        let kept = keys.compactMap { cache.image(for: $0) }
        #expect(cache.count == kept.count)
        #expect(cache.totalCost == kept.reduce(0) { $0 + $1.byteCount })
        #expect(cache.totalCost <= cache.costLimit)
        #expect(cache.count <= cache.countLimit)
        cache.trim(to: 0)
        #expect(cache.count == 0)
    }

    // MARK: Release

    /// Frames that call a closure when the last image with them is released.
    private final class LastWords: FrameSource {
        let frameCount = 1
        let loopCount = 1
        let byteCount = 0
        private let pixels: PixelBuffer
        private let speak: @Sendable () -> Void

        init(pixels: PixelBuffer, speak: @escaping @Sendable () -> Void) {
            self.pixels = pixels
            self.speak = speak
        }

        deinit { speak() }

        func duration(ofFrame index: Int) -> Duration { .milliseconds(100) }
        func frame(_ index: Int, job: Job) throws -> PixelBuffer { pixels }
    }

    @Test func `evicted images are released outside the lock`() throws {
        let cache = BoundedMemoryCache(costLimit: 2 * unit, trimsUnderPressure: false, policy: .lru)
        let released = Lock(0)
        func store(_ name: String) throws {
            let pixels = try makeImage().pixels
            let frames = LastWords(pixels: pixels) {
                // This would deadlock if the image were released under the lock.
                _ = cache.count
                released.withLock { $0 += 1 }
            }
            cache.store(Image(pixels: pixels, frames: frames), for: makeKey(name))
        }
        func releasedCount() -> Int { released.withLock { $0 } }

        try store("a")
        try store("a")
        #expect(releasedCount() == 1)
        try store("b")
        try store("c")
        #expect(releasedCount() == 2)
        cache.remove(makeKey("b"))
        #expect(releasedCount() == 3)
        cache.costLimit = 0
        #expect(releasedCount() == 4)
        cache.costLimit = 2 * unit
        try store("d")
        cache.removeAll(of: SourceKey("d"))
        #expect(releasedCount() == 5)
        try store("e")
        try store("f")
        cache.clear()
        #expect(releasedCount() == 7)
    }
}
