import CalotypeTesting
import Testing

@testable import Calotype

/// Evicted images that are still retained elsewhere.
@Suite(.timeLimit(.minutes(5)))
struct LivingImagesTests {
    private let unit = 64

    private func makeImage(units: Int = 1) throws -> Image {
        let builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(16, units)))
        return Image(pixels: builder.finish())
    }

    private func makeKey(_ source: String, _ variant: String = "") -> VariantKey {
        VariantKey(source: SourceKey(source), variant: variant)
    }

    private func makeCache(
        costLimit: Int? = nil, countLimit: Int = .max, policy: any EvictionPolicy = LRUPolicy()
    ) -> BoundedMemoryCache {
        BoundedMemoryCache(costLimit: costLimit, countLimit: countLimit, policy: policy, pressure: nil)
    }

    @Test func `a retained image is found after its eviction, and is added again`() throws {
        let cache = makeCache(countLimit: 1)
        let held = try makeImage(units: 2)
        cache.store(held, for: makeKey("held"))
        try cache.store(makeImage(), for: makeKey("other"))
        #expect(cache.totalCost == unit)
        #expect(cache.contains(makeKey("held")))
        #expect(cache.variants(of: SourceKey("held")) == [makeKey("held")])

        let found = try #require(cache.image(for: makeKey("held")))
        #expect(found.isIdentical(to: held))
        #expect(cache.totalCost == 2 * unit)
        #expect(cache.count == 1)
        #expect(!cache.contains(makeKey("other")))
        _ = cache.image(for: makeKey("held"))
        #expect(cache.statistics.weakHits == 1)
        #expect(cache.statistics.hits == 1)
        #expect(cache.statistics.misses == 0)
        #expect(cache.statistics.insertions == 2)
    }

    @Test func `peeking at an evicted image does not add it again`() throws {
        let cache = makeCache(countLimit: 1)
        var held = try makeImage()
        held.scale = 2
        cache.store(held, for: makeKey("held"))
        try cache.store(makeImage(), for: makeKey("other"))
        #expect(cache.peek(at: makeKey("held"))?.isIdentical(to: held) == true)
        #expect(cache.peek(at: makeKey("held"))?.scale == 2)
        let isMissing = cache.peek(at: makeKey("nobody's")) == nil
        #expect(isMissing)
        #expect(cache.count == 1)
        #expect(cache.statistics.hits + cache.statistics.weakHits + cache.statistics.misses == 0)
        let isThere = cache.peek(at: makeKey("other")) != nil
        #expect(isThere)
    }

    @Test func `its scale comes back with it`() throws {
        let cache = makeCache(countLimit: 1)
        var held = try makeImage()
        held.scale = 3
        cache.store(held, for: makeKey("held"))
        cache.trim(to: 0)
        #expect(cache.image(for: makeKey("held"))?.scale == 3)
        #expect(cache.image(for: makeKey("held"))?.scale == 3)
    }

    @Test func `an image that is not retained is lost when it is evicted or released`() throws {
        let cache = makeCache(countLimit: 1)
        try cache.store(makeImage(), for: makeKey("a"))
        var held: [Image] = [try makeImage()]
        cache.store(held[0], for: makeKey("b"))
        #expect(!cache.contains(makeKey("a")))
        try cache.store(makeImage(), for: makeKey("c"))
        #expect(cache.contains(makeKey("b")))
        held.removeAll()
        #expect(!cache.contains(makeKey("b")))
        #expect(cache.variants(of: SourceKey("b")).isEmpty)
        let isFound = cache.image(for: makeKey("b")) != nil
        #expect(!isFound)
        #expect(cache.statistics.misses == 1)
        #expect(cache.count == 1)
    }

    @Test func `a cache can be told not to find evicted images`() throws {
        let cache = BoundedMemoryCache(countLimit: 1, findsLivingImages: false, trimsUnderPressure: false)
        let held = try makeImage()
        cache.store(held, for: makeKey("held"))
        cache.trim(to: 0)
        #expect(!cache.contains(makeKey("held")))
        let isFound = cache.image(for: makeKey("held")) != nil
        #expect(!isFound)
        withExtendedLifetime(held) {}
    }

    @Test func `a removed image is not found, even while it is retained`() throws {
        let cache = makeCache(costLimit: 10 * unit)
        let keys = [makeKey("a"), makeKey("b"), makeKey("b", "half"), makeKey("c")]
        let held = try keys.map { _ in try makeImage() }
        for (key, image) in zip(keys, held) { cache.store(image, for: key) }
        cache.trim(to: 0)
        for key in keys { #expect(cache.contains(key)) }
        #expect(cache.count == 0)

        cache.remove(keys[0])
        #expect(!cache.contains(keys[0]))
        cache.removeAll(of: SourceKey("b"))
        #expect(!cache.contains(keys[1]))
        #expect(!cache.contains(keys[2]))
        #expect(cache.contains(keys[3]))
        cache.clear()
        #expect(!cache.contains(keys[3]))
        for key in keys {
            let isFound = cache.image(for: key) != nil
            #expect(!isFound)
        }
        withExtendedLifetime(held) {}
    }

    @Test func `the image stored last is found, not one evicted before`() throws {
        let cache = makeCache(countLimit: 2)
        let (old, new) = (try makeImage(), try makeImage())
        cache.store(old, for: makeKey("a"))
        cache.trim(to: 0)
        cache.store(new, for: makeKey("a"))
        #expect(cache.image(for: makeKey("a"))?.isIdentical(to: new) == true)
        cache.trim(to: 0)
        #expect(cache.image(for: makeKey("a"))?.isIdentical(to: new) == true)
        #expect(cache.count == 1)
        withExtendedLifetime(old) {}
    }

    @Test func `an image that no longer fits is found but not added again`() throws {
        let cache = makeCache(costLimit: 4 * unit)
        let held = try makeImage(units: 3)
        cache.store(held, for: makeKey("held"))
        cache.costLimit = 2 * unit
        for _ in 0..<2 {
            #expect(cache.image(for: makeKey("held"))?.isIdentical(to: held) == true)
            #expect(cache.totalCost == 0)
        }
        cache.costLimit = 3 * unit
        _ = cache.image(for: makeKey("held"))
        #expect(cache.totalCost == 3 * unit)
        #expect(cache.statistics.weakHits == 3)
    }

    @Test(arguments: EvictionPolicyTests.Kind.allCases, [21, 22] as [UInt64])
    func `retained images are all found after any sequence of calls`(
        kind: EvictionPolicyTests.Kind, seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let images = try (1...6).map { try makeImage(units: $0) }
        let keys = (0..<30).map { makeKey("source \($0 % 6)", "variant \($0 / 6)") }
        let cache = makeCache(costLimit: 40 * unit, countLimit: 15, policy: kind.policy)
        var model: [VariantKey: Image] = [:]
        for _ in 0..<2_000 {
            let key = keys[Int.random(in: 0..<keys.count, using: &random)]
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<30:
                let image = images[Int.random(in: 0..<images.count, using: &random)]
                cache.store(image, for: key)
                model[key] = image.byteCount <= cache.costLimit && cache.countLimit > 0 ? image : nil
            case 30..<80:
                let found = cache.image(for: key)
                let isRight = model[key].map { found?.isIdentical(to: $0) == true } ?? (found == nil)
                #expect(isRight)
            case 80..<86:
                cache.remove(key)
                model[key] = nil
            case 86..<88:
                cache.removeAll(of: key.source)
                model = model.filter { $0.key.source != key.source }
            case 88..<92: cache.costLimit = Int.random(in: 0..<60, using: &random) * unit
            case 92..<96: cache.countLimit = Int.random(in: 0..<20, using: &random)
            case 96..<99: cache.trim(to: Int.random(in: 0..<40, using: &random) * unit)
            default:
                cache.clear()
                model = [:]
            }
            #expect(keys.allSatisfy { cache.contains($0) == (model[$0] != nil) })
            #expect(cache.totalCost <= cache.costLimit)
            #expect(cache.count <= cache.countLimit)
            let listed = Set(cache.variants(of: key.source))
            #expect(listed == Set(model.keys.filter { $0.source == key.source }))
        }
        withExtendedLifetime(images) {}
    }

    // MARK: Memory

    /// A policy that records the highest slot.
    private struct RecordingPolicy: EvictionPolicy {
        let highest: Lock<Int>
        private var policy = LRUPolicy()

        init(highest: Lock<Int>) { self.highest = highest }

        mutating func insert(_ slot: Int, fingerprint: Int, cost: Int) {
            highest.withLock { $0 = max($0, slot) }
            policy.insert(slot, fingerprint: fingerprint, cost: cost)
        }
        mutating func touch(_ slot: Int) { policy.touch(slot) }
        mutating func remove(_ slot: Int) { policy.remove(slot) }
        mutating func evict() -> Int? { policy.evict() }
    }

    @Test func `released images leave nothing behind for long`() throws {
        // Given a cache of ten images, and code that retains the latest images
        let highest = Lock(0)
        let cache = makeCache(countLimit: 10, policy: RecordingPolicy(highest: highest))
        var held: [Image] = []
        // When it stores very many images
        for number in 0..<20_000 {
            held.append(try makeImage())
            cache.store(held[held.count - 1], for: makeKey("\(number)"))
            if held.count > 30 { held.removeFirst() }
        }
        // Then the number of slots is limited to the cached images, the retained ones and about as many more
        #expect(highest.withLock { $0 } < 200)
        #expect(cache.count == 10)
        #expect(cache.contains(makeKey("19980")))
        #expect(!cache.contains(makeKey("19900")))
    }

    @Test func `slots of released images are used again`() throws {
        let highest = Lock(0)
        let cache = makeCache(countLimit: 100, policy: RecordingPolicy(highest: highest))
        // Given a hundred images that were evicted while they were retained, and released later
        var held = try (0..<100).map { _ in try makeImage() }
        for (number, image) in held.enumerated() { cache.store(image, for: makeKey("held \(number)")) }
        cache.trim(to: 0)
        held.removeAll()
        // When images are stored that are not retained
        for number in 0..<1_000 { try cache.store(makeImage(), for: makeKey("\(number)")) }
        // Then they reuse the slots
        #expect(highest.withLock { $0 } < 102)
    }

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

    @Test func `the cache does not retain evicted images that it can find`() throws {
        let cache = makeCache(countLimit: 1)
        let released = Lock(0)
        func image() throws -> Image {
            let pixels = try makeImage().pixels
            return Image(
                pixels: pixels,
                frames: LastWords(pixels: pixels) {
                    // This would deadlock if the image were released under the lock.
                    _ = cache.count
                    released.withLock { $0 += 1 }
                })
        }
        var held: [Image] = [try image()]
        cache.store(held[0], for: makeKey("a"))
        cache.trim(to: 0)
        #expect(cache.contains(makeKey("a")))
        _ = cache.variants(of: SourceKey("a"))
        #expect(released.withLock { $0 } == 0)
        held.removeAll()
        #expect(released.withLock { $0 } == 1)
        #expect(!cache.contains(makeKey("a")))
    }
}
