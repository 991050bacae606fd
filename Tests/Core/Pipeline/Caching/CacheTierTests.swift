import CalotypeTesting
import Testing

@testable import Calotype

/// The cache tiers in which variants and originals are looked up and stored.
@Suite(.timeLimit(.minutes(5)))
struct CacheTierTests {
    private static let types: [CacheTiers] = [.all, .memory, .disk, []]
    private static let places: [CacheTiers] = [.memory, .disk]

    private let bench = Bench()
    /// A variant that is made from the image of a plain request.
    private let step: ImageContext = [.transformer(FakeTransformer())]
    private let thumbnail: ImageContext = [.thumbnailPixelSize(4, 4)]
    private let directory = TemporaryDirectory()

    private func source(_ place: CacheTiers, askedFor type: CacheTiers) -> ImageResponse.Source {
        guard type.contains(place) else { return .loader }
        return place == .memory ? .memory : .disk
    }

    private var memoryLookUps: Int { bench.memory.statistics.hits + bench.memory.statistics.misses }

    // MARK: Lookups

    @Test(arguments: types, places)
    func `a variant is looked up only in the given tiers`(type: CacheTiers, place: CacheTiers) async throws {
        let request = bench.request(thumbnail.merging([.queryCacheType(type), .originalQueryCacheType([])]))
        _ = try await bench.manager.image(for: request)
        try bench.cache.clear(place == .memory ? .disk : .memory)
        let (lookUps, reads) = (memoryLookUps, bench.data.readCount)
        #expect(try await bench.manager.response(for: request).source == source(place, askedFor: type))
        // The other tiers are not queried.
        if !type.contains(.memory) { #expect(memoryLookUps == lookUps) }
        if !type.contains(.disk) { #expect(bench.data.readCount == reads) }
    }

    @Test(arguments: types, places)
    func `a request without options uses the tiers given for variants`(
        type: CacheTiers, place: CacheTiers
    ) async throws {
        let request = bench.request([.queryCacheType(type), .originalQueryCacheType([])])
        _ = try await bench.manager.image(for: request)
        try bench.cache.clear(place == .memory ? .disk : .memory)
        #expect(try await bench.manager.response(for: request).source == source(place, askedFor: type))
    }

    @Test(arguments: types, places)
    func `an original is looked up only in the given tiers`(type: CacheTiers, place: CacheTiers) async throws {
        _ = try await bench.manager.image(
            for: bench.request(step.merging([.originalStoreCacheType(place), .storeCacheType([])])))
        #expect(try await bench.manager.contains(bench.request()) == place)
        let request = bench.request(thumbnail.merging([.queryCacheType([]), .originalQueryCacheType(type)]))
        #expect(try await bench.manager.response(for: request).source == source(place, askedFor: type))
    }

    // MARK: Stores

    @Test(arguments: types)
    func `loaded images are stored only in the given tiers`(type: CacheTiers) async throws {
        let other = CacheTiers.all.subtracting(type)
        let variant = bench.request(step.merging([.storeCacheType(type), .originalStoreCacheType(other)]))
        _ = try await bench.manager.image(for: variant)
        #expect(try await bench.manager.contains(variant) == type)
        #expect(try await bench.manager.contains(bench.request()) == other)

        let plain = ImageRequest("fake://host/plain.raw", context: [.storeCacheType(type)])
        _ = try await bench.manager.image(for: plain)
        #expect(try await bench.manager.contains(plain) == type)
    }

    @Test(arguments: types)
    func `an image found on disk is copied to memory if that tier is given`(type: CacheTiers) async throws {
        for context in [thumbnail, []] {
            let request = bench.request(context)
            _ = try await bench.manager.image(for: request)
            bench.memory.clear()
            let stores = bench.data.stores
            let response = try await bench.manager.response(for: request.with([.storeCacheType(type)]))
            #expect(response.source == .disk)
            #expect(try await bench.manager.contains(request) == type.union(.disk))
            #expect(bench.data.stores == stores, "the data is already stored")
        }
    }

    @Test(arguments: types)
    func `an original found on disk is copied to memory if that tier is given`(type: CacheTiers) async throws {
        _ = try await bench.manager.image(for: bench.request([.storeCacheType(.disk)]))
        for context in [thumbnail, step] {
            let response = try await bench.manager.response(
                for: bench.request(context.merging([.storeCacheType([]), .originalStoreCacheType(type)])))
            #expect(response.source == .disk)
        }
        #expect(try await bench.manager.contains(bench.request()) == type.union(.disk))
        if type.contains(.memory) {
            let image = try #require(bench.manager.cachedResponse(for: bench.request())?.image)
            #expect(image.size == PixelSize(40, 30), "the whole picture, not a thumbnail")
        }
        #expect(bench.data.stores.count == 1)
    }

    @Test func `a thumbnail of the original on disk keeps that unchanged, and the whole picture out of memory`()
        async throws
    {
        let plain = bench.request()
        _ = try await bench.manager.image(for: plain.with([.storeCacheType(.disk)]))
        let original = try await bench.manager.cacheKey(for: plain)
        let response = try await bench.manager.response(for: bench.request(thumbnail))
        #expect(response.source == .disk)
        #expect(response.data == nil)
        #expect(try await bench.manager.contains(bench.request(thumbnail)) == .all)
        #expect(try await bench.manager.contains(plain) == .disk)
        #expect(bench.data.stores.filter { $0 == original }.count == 1)
        // Storing the thumbnail in both tiers does not change that.
        bench.memory.clear()
        _ = try await bench.manager.image(for: bench.request(thumbnail))
        #expect(try await bench.manager.contains(plain) == .disk)
        #expect(bench.data.stores.count == 2)
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `for an animation reduced to a still, the disk has the animation and memory the still`() async throws {
        let animation = SampleAnimation(Array(repeating: (.over, .keep), count: 4), seed: 12, isFull: { $0 == 0 })
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(animation.file))
        let cache = TieredCache(memory: bench.memory, disk: DiskCache(at: directory.url))
        let request = bench.request([
            .imageCache(cache), .firstFrameOnly, .transformer(FakeTransformer()), .storeCacheType(.memory),
            .originalStoreCacheType(.disk),
        ])
        let still = try await bench.manager.image(for: request)
        #expect(still.frames == nil)
        #expect(still.pixels.seenLevels == animation.pictures(isWide: false)[0])

        // The still image is only in memory, and the original only on disk: a file with the loaded bytes.
        let key = try await bench.manager.cacheKey(for: request)
        #expect(try cache.contains(key, in: .all) == .memory)
        #expect(cache.image(for: key)?.isIdentical(to: still) == true)
        #expect(try cache.contains(key.original, in: .all) == .disk)
        let disk = DiskCache(at: directory.url)
        #expect(try disk.totalCount() == 1)
        #expect(try disk.entry(for: key.original)?.data == animation.file)

        // The image on disk is animated.
        let whole = try await bench.manager.response(for: bench.request([.imageCache(cache)]))
        #expect(whole.source == .disk)
        #expect(whole.image.frames?.frameCount == 4)
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `nothing is encoded for a missing tier`() async throws {
        let cache = TieredCache(memory: bench.memory)
        let request = bench.request(thumbnail.merging([.imageCache(cache)]))
        _ = try await bench.manager.image(for: request)
        #expect(bench.coder.encodeCount == 0)
        await bench.manager.waitForEvents()
        #expect(bench.listener.successes(of: .store).isEmpty)
        #expect(bench.listener.successes(of: .query).isEmpty)
        #expect(try await bench.manager.contains(request) == .memory)
        try await bench.manager.store(bench.manager.image(for: request), for: request)
        #expect(bench.coder.encodeCount == 0)
    }

    @Test func `a variant that equals the original is written if no original can be stored`() async throws {
        let originals = TieredCache(memory: nil)
        _ = try await bench.manager.image(for: bench.request([.keepsMetadata, .originalImageCache(originals)]))
        #expect(bench.data.stores.map(\.isOriginal) == [false])
    }

    // MARK: Lifetimes

    @Test func `a variant made from an original in memory expires with it`() async throws {
        let memory = BoundedMemoryCache(trimsUnderPressure: false, time: bench.time)
        let cache = TieredCache(memory: memory, disk: InMemoryDataCache(time: bench.time))
        let all: ImageContext = [.imageCache(cache), .originalQueryCacheType(.all)]
        // Given an original in memory that lives for a minute
        let first = step.merging([.timeToLive(.seconds(60)), .originalStoreCacheType(.memory), .storeCacheType([])])
        _ = try await bench.manager.image(for: bench.request(all.merging(first)))
        // When a request without a lifetime makes a variant of it
        bench.time.advance(by: .seconds(50))
        let request = bench.request(all.merging(thumbnail))
        #expect(try await bench.manager.response(for: request).source == .memory)
        #expect(bench.manager.cachedResponse(for: request) != nil)
        // Then the variant expires with the original, in memory and on disk
        bench.time.advance(by: .seconds(11))
        #expect(try await bench.manager.contains(request) == [])
    }

    @Test func `the default time to live of memory does not shorten that of a variant made from memory`()
        async throws
    {
        let memory = BoundedMemoryCache(timeToLive: .seconds(60), trimsUnderPressure: false, time: bench.time)
        let data = InMemoryDataCache(time: bench.time)
        let all: ImageContext = [.imageCache(TieredCache(memory: memory, disk: data)), .originalQueryCacheType(.all)]
        _ = try await bench.manager.image(for: bench.request(all.merging([.storeCacheType(.memory)])))
        bench.time.advance(by: .seconds(50))
        let request = bench.request(all.merging(thumbnail))
        #expect(try await bench.manager.response(for: request).source == .memory)
        let key = try await bench.manager.cacheKey(for: request)
        #expect(try data.entry(for: key)?.data.isEmpty == false)
        #expect(try data.entry(for: key)?.expiration == nil)
    }

    @Test func `a result that has expired meanwhile replaces nothing`() async throws {
        let time = bench.time
        let memory = BoundedMemoryCache(trimsUnderPressure: false, time: time)
        let data = InMemoryDataCache(time: time)
        let caching: ImageContext = [.imageCache(TieredCache(memory: memory, disk: data))]
        // Given an original on disk that lives for a minute
        let short: ImageContext = [.timeToLive(.seconds(60)), .storeCacheType(.disk)]
        _ = try await bench.manager.image(for: bench.request(caching.merging(short)))
        let fresh = Image(pixels: try PixelBuffer.noise(PixelSize(4, 3), seed: 1))
        let key = Lock<VariantKey?>(nil)
        let transformer = FakeTransformer(key: "slow") { image in
            time.advance(by: .seconds(61))
            if let key = key.withLock({ $0 }) { memory.store(fresh, for: key) }
            return image
        }
        // When making the variant takes longer, and another image is stored under its key meanwhile
        let request = bench.request(
            caching.merging([.transformer(transformer), .originalStoreCacheType(.memory)]))
        let variant = try await bench.manager.cacheKey(for: request)
        key.withLock { $0 = variant }
        #expect(try await bench.manager.response(for: request).source == .disk)
        // Then the other image remains
        #expect(memory.image(for: variant)?.isIdentical(to: fresh) == true)
        #expect(data.stores.allSatisfy { $0.isOriginal })
    }

    @Test func `an original copied from disk to memory expires at the same time`() async throws {
        let memory = BoundedMemoryCache(trimsUnderPressure: false, time: bench.time)
        let cache = TieredCache(memory: memory, disk: InMemoryDataCache(time: bench.time))
        let plain = bench.request([.imageCache(cache)])
        _ = try await bench.manager.image(for: plain.with([.timeToLive(.seconds(60)), .storeCacheType(.disk)]))
        bench.time.advance(by: .seconds(50))
        _ = try await bench.manager.image(for: plain.with(step).with([.originalStoreCacheType(.all)]))
        #expect(try await bench.manager.contains(plain) == .all)
        bench.time.advance(by: .seconds(11))
        #expect(try await bench.manager.contains(plain) == [])
    }

    // MARK: Variants over the input limit

    @Test func `a variant may exceed the input limit for originals`() async throws {
        let request = bench.request([
            .maxInputBytes(6_000), .transformer(.resize(width: 80, height: 60, mode: .stretch)),
        ])
        _ = try await bench.manager.image(for: request)
        let key = try await bench.manager.cacheKey(for: request)
        #expect(try bench.data.entry(for: key)?.data.count ?? 0 > 6_000)
        let stores = bench.data.stores
        for _ in 0..<2 {
            bench.memory.clear()
            #expect(try await bench.manager.response(for: request).source == .disk)
        }
        #expect(bench.coder.decodeCount == 3, "the original was decoded once")
        #expect(bench.data.stores == stores, "the original was not written again")
    }

    @Test func `a cached original over the input limit is a miss`() async throws {
        let request = bench.request([.maxInputBytes(100), .queryCacheType(.disk), .fromCacheOnly])
        let plain = try await bench.manager.cacheKey(for: request)
        try bench.data.store(CacheEntry(data: RawImageCoder.file(width: 40, height: 30)), for: plain)
        let error = await imageError { try await bench.manager.image(for: request) }
        #expect(error?.code == .notCached)
    }

    // MARK: Statistics

    @Test func `the manager's statistics sum up its caches`() async throws {
        let originals = TieredCache(memory: nil, disk: DiskCache(at: directory.url))
        let bench = Bench(context: [.originalImageCache(originals)])
        #expect(bench.manager.cacheStatistics.memory == MemoryCacheStatistics())
        let request = bench.request(thumbnail)
        for _ in 0..<2 { _ = try await bench.manager.image(for: request) }
        // A cache that belongs to a request is not included.
        _ = try await bench.manager.image(
            for: bench.request([.imageCache(TieredCache(memory: nil, disk: InMemoryDataCache()))]))
        let statistics = bench.manager.cacheStatistics
        #expect(statistics.memory?.hits == 1)
        #expect(statistics.memory?.misses == 1)
        #expect(statistics.memory?.count == 1)
        #expect(statistics.disk?.misses == 1, "one for the original; the cache of variants has no statistics")
        #expect(statistics.disk?.insertions == 1)
        bench.manager.context.set(.originalImageCache(bench.cache))
        #expect(bench.manager.cacheStatistics == bench.cache.statistics, "a shared cache is counted once")
    }

    // MARK: Serializers

    /// A serializer that records its calls.
    private final class RecordingSerializer: CacheSerializer {
        private let recorded = Lock<[VariantKey]>([])
        var keys: [VariantKey] { recorded.withLock { $0 } }

        func data(for serialization: Serialization) throws -> Data? {
            recorded.withLock { $0.append(serialization.key) }
            return nil
        }
    }

    @Test func `a serializer is asked once for each entry`() async throws {
        let serializer = RecordingSerializer()
        let bench = Bench(isOpen: false, context: [.cacheSerializer(serializer)])
        let contexts: [ImageContext] = [[], [], thumbnail, thumbnail, step, [.thumbnailPixelSize(5, 5)]]
        let tasks = contexts.map { bench.manager.load(bench.request($0)) }
        // Given that all wait for one load
        for (context, count) in [([] as ImageContext, 3), (thumbnail, 2), ([.thumbnailPixelSize(5, 5)], 1)] {
            try await bench.manager.waitForWaiters(count, for: .decode, of: bench.request(context))
        }
        bench.gate.open()
        for task in tasks { _ = try await task.response }
        #expect(serializer.keys.count == 4)
        #expect(Set(serializer.keys) == bench.data.keys)
        // Entries that are read are not written again.
        bench.memory.clear()
        for context in contexts { _ = try await bench.manager.image(for: bench.request(context)) }
        #expect(serializer.keys.count == 4)
    }

    @Test func `a serializer gets the image of its entry`() async throws {
        final class Sizes: CacheSerializer {
            let seen = Lock<[VariantKey: PixelSize]>([:])
            func data(for serialization: Serialization) throws -> Data? {
                let size = serialization.image?.size ?? PixelSize(0, 0)
                seen.withLock { $0[serialization.key] = size }
                return nil
            }
        }
        let serializer = Sizes()
        let plain = ImageRequest("fake://host/plain.raw", context: [.cacheSerializer(serializer)])
        let variant = bench.request(thumbnail.merging([.cacheSerializer(serializer)]))
        for request in [plain, variant] { _ = try await bench.manager.image(for: request) }
        let plainKey = try await bench.manager.cacheKey(for: plain)
        let variantKey = try await bench.manager.cacheKey(for: variant)
        let expected = [
            plainKey: PixelSize(40, 30), variantKey: PixelSize(4, 3),
            // The serializer receives the bytes of the original, without an image.
            variantKey.original: PixelSize(0, 0),
        ]
        #expect(serializer.seen.withLock { $0 } == expected)
    }

    // MARK: Custom and separate tiers

    /// A memory tier that never evicts.
    private final class PlainMemoryCache: MemoryCache {
        private let images = Lock<[VariantKey: Image]>([:])

        var keys: Set<VariantKey> { images.withLock { Set($0.keys) } }
        func image(for key: VariantKey) -> Image? { images.withLock { $0[key] } }
        func contains(_ key: VariantKey) -> Bool { images.withLock { $0[key] != nil } }
        func store(_ image: Image, for key: VariantKey, timeToLive: Duration?) { images.withLock { $0[key] = image } }
        func remove(_ key: VariantKey) { images.withLock { $0[key] = nil } }
        func removeAll(of source: SourceKey) {
            images.withLock { images in images = images.filter { $0.key.source != source } }
        }
        func clear() { images.withLock { $0 = [:] } }
    }

    @Test func `the memory tier can be a custom one`() async throws {
        let memory = PlainMemoryCache()
        let request = bench.request(thumbnail.merging([.imageCache(TieredCache(memory: memory, disk: bench.data))]))
        let first = try await bench.manager.image(for: request)
        let key = try await bench.manager.cacheKey(for: request)
        #expect(memory.keys == [key])
        #expect(bench.manager.cachedResponse(for: request)?.image.isIdentical(to: first) == true)
        #expect(try await bench.manager.contains(request) == .all)
        try await bench.manager.remove(request, from: .memory)
        #expect(memory.keys.isEmpty)
        #expect(try await bench.manager.response(for: request).source == .disk)
        #expect(memory.keys.count == 1)
        try await bench.manager.remove(request, allVariants: true)
        #expect(memory.keys.isEmpty)
    }

    /// Stores an image in these tiers. Returns its request, and the path of its file, which may not exist.
    private func stored(_ disk: DiskCache, in tiers: CacheTiers) async throws -> (request: ImageRequest, path: String) {
        let image = Image(pixels: try PixelBuffer.noise(PixelSize(4, 3), seed: 1))
        let request = bench.request([.imageCache(TieredCache(memory: bench.memory, disk: disk))])
        try await bench.manager.store(image, for: request, in: tiers)
        return (request, disk.path(for: try await bench.manager.cacheKey(for: request)))
    }

    private func isPresent(_ path: String) -> Bool { (try? LocalFileSystem().attributes(of: path)) != nil }

    @Test func `clearing the disk leaves memory as it is, and no file`() async throws {
        let disk = DiskCache(at: directory.url)
        let (request, path) = try await stored(disk, in: .all)
        #expect(isPresent(path))
        let cache = try #require(request.context[.imageCache] ?? nil)
        try cache.clear(.disk)
        #expect(try await bench.manager.contains(request) == .memory)
        #expect(bench.manager.cachedResponse(for: request) != nil)
        #expect(!isPresent(path))
        #expect(try disk.totalCount() == 0)
    }

    @Test func `an image stored only in memory is not on disk, and is gone once memory is cleared`() async throws {
        let (request, path) = try await stored(DiskCache(at: directory.url), in: .memory)
        #expect(try await bench.manager.contains(request) == .memory)
        #expect(!isPresent(path))
        bench.memory.clear()
        #expect(try await bench.manager.contains(request) == [])
        #expect(bench.manager.cachedResponse(for: request) == nil)
    }

    @Test func `removing from memory leaves the disk unchanged`() async throws {
        let (request, path) = try await stored(DiskCache(at: directory.url), in: .all)
        try await bench.manager.remove(request, from: .memory)
        #expect(try await bench.manager.contains(request) == .disk)
        #expect(isPresent(path))
    }

    @Test func `removing from both tiers leaves neither`() async throws {
        let (request, path) = try await stored(DiskCache(at: directory.url), in: .all)
        try await bench.manager.remove(request, from: [.disk, .memory])
        #expect(try await bench.manager.contains(request) == [])
        #expect(!isPresent(path))
        #expect(bench.memory.count == 0)
    }
}
