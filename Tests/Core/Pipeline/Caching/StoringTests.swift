import Calotype
import CalotypeTesting
import Testing

/// The places in which images are stored, and the requests that they serve.
@Suite(.timeLimit(.minutes(5)))
struct StoringTests {
    @Test func `a manager has a cache by default`() async throws {
        #expect(ImageContext()[.imageCache] == nil)
        let values = try await ImageManager().explain(Bench.url).values
        #expect(values.first { $0.key.name == "imageCache" }?.text == "TieredCache")
        let none = try await ImageManager(context: [.off(.imageCache)]).explain(Bench.url).values
        #expect(none.first { $0.key.name == "imageCache" }?.text == "none")
    }

    @Test func `an original kept in memory is unchanged by transformers`() async throws {
        let bench = Bench()
        let small = try await bench.manager.decode(RawImageCoder.file(width: 3, height: 3))
        let step = FakeTransformer { $0.replacing(pixels: small.pixels) }
        let request = bench.request([.originalStoreCacheType(.all), .transformer(step)])
        #expect(try await bench.manager.image(for: request).size == PixelSize(3, 3))
        let plain = try await bench.manager.response(for: bench.request())
        #expect(plain.source == .memory)
        #expect(plain.image.size == PixelSize(40, 30))
    }

    @Test func `an original in memory is used only for images that can be cut from it`() async throws {
        let bench = Bench()
        var header = RawImageCoder.Header(width: 8, height: 4)
        header.bitsPerChannel = 16
        header.orientation = 6
        bench.loader.answer(
            Bench.url.absoluteString,
            with: .bytes(RawImageCoder.file(header) { x, y, _ in SIMD4(UInt8(x), UInt8(y), 0, 255) }))
        let all: ImageContext = [.originalQueryCacheType(.all)]
        _ = try await bench.manager.image(for: bench.request())
        let thumbnail = try await bench.manager.response(for: bench.request(all.merging([.thumbnailPixelSize(2, 4)])))
        #expect(thumbnail.source == .memory)
        #expect(thumbnail.image.size == PixelSize(2, 4))
        let deep = try await bench.manager.image(for: bench.request(all.merging([.nativeDepth])))
        #expect(deep.pixels.format == .rgba16)
        let stored = try await bench.manager.image(for: bench.request(all.merging([.keepsOrientation])))
        #expect(stored.size == PixelSize(8, 4))
        #expect(stored.attributes.orientation == .right)
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `an image kept in its stored orientation comes back from disk the same way`() async throws {
        let bench = Bench()
        var header = RawImageCoder.Header(width: 8, height: 4)
        header.orientation = 6
        bench.loader.answer(
            Bench.url.absoluteString,
            with: .bytes(RawImageCoder.file(header) { x, y, _ in SIMD4(UInt8(x), UInt8(y), 0, 255) }))
        let request = bench.request([.keepsOrientation])
        let first = try await bench.manager.image(for: request)
        bench.memory.clear()
        let second = try await bench.manager.response(for: request)
        #expect(second.source == .disk)
        #expect(second.image.colors == first.colors)
        #expect(second.image.attributes == first.attributes)
    }

    @Test func `a plain request stores and queries the same cache, even if originals have their own`() async throws {
        let bench = Bench(context: [.originalImageCache(TieredCache(memory: nil, disk: InMemoryDataCache()))])
        _ = try await bench.manager.image(for: bench.request())
        bench.memory.clear()
        #expect(try await bench.manager.response(for: bench.request()).source == .disk)
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `variants and originals go to separate caches`() async throws {
        let originals = InMemoryDataCache()
        let bench = Bench(context: [.originalImageCache(TieredCache(memory: nil, disk: originals))])
        _ = try await bench.manager.image(for: bench.request([.thumbnailPixelSize(4, 4)]))
        #expect(originals.keys.map(\.isOriginal) == [true])
        #expect(bench.data.keys.map(\.isOriginal) == [false])
    }

    @Test func `another size is made from an original whose store is still running`() async throws {
        let gate = BlockingGate()
        let cache = TieredCache(memory: nil, disk: GatedDataCache(stores: gate))
        let bench = Bench(context: [.off(.waitStoreCache), .imageCache(cache)])
        _ = try await bench.manager.image(for: bench.request([.thumbnailPixelSize(4, 4)]))
        await gate.waitForArrivals(1)
        let other = try await bench.manager.response(for: bench.request([.thumbnailPixelSize(5, 5)]))
        #expect(other.source == .disk)
        #expect(bench.loader.loadCount == 1)
        gate.open()
    }

    @Test func `a removal is not overtaken by an earlier store`() async throws {
        let gate = BlockingGate()
        let slow = GatedDataCache(stores: gate)
        let bench = Bench(context: [.off(.waitStoreCache), .imageCache(TieredCache(memory: nil, disk: slow))])
        _ = try await bench.manager.image(for: bench.request())
        await gate.waitForArrivals(1)
        let removal = Task { try await bench.manager.remove(bench.request(), allVariants: true) }
        gate.open()
        try await removal.value
        #expect(try await bench.manager.contains(bench.request()) == [])
        #expect(slow.kept.keys.isEmpty)
    }

    @Test func `a variant of older data does not replace a directly stored image`() async throws {
        let bench = Bench()
        _ = try await bench.manager.image(for: bench.request())
        let gate = BlockingGate()
        let request = bench.request([.transformer(FakeTransformer(gate: gate))])
        let key = try await bench.manager.cacheKey(for: request)
        let task = bench.manager.load(request)
        await gate.waitForArrivals(1)
        let image = Image(pixels: try PixelBuffer.noise(PixelSize(4, 3), seed: 1))
        try await bench.manager.store(image, for: request)
        gate.open()
        #expect(try await task.response.source == .disk)
        #expect(bench.manager.cachedResponse(for: request)?.image.isIdentical(to: image) == true)
        #expect(bench.data.stores.filter { $0 == key }.count == 1)
    }

    @Test func `a variant of data removed meanwhile is not stored`() async throws {
        let bench = Bench()
        _ = try await bench.manager.image(for: bench.request())
        let gate = BlockingGate()
        let request = bench.request([.transformer(FakeTransformer(gate: gate)), .originalStoreCacheType(.all)])
        let task = bench.manager.load(request)
        await gate.waitForArrivals(1)
        try await bench.manager.remove(request, allVariants: true)
        gate.open()
        #expect(try await task.response.source == .disk)
        #expect(bench.memory.count == 0)
        #expect(bench.data.keys.isEmpty)
        #expect(try await bench.manager.response(for: request).source == .loader)
        #expect(bench.data.keys.count == 2)
    }

    @Test func `concurrent plain and transformed requests decode once`() async throws {
        let bench = Bench(isOpen: false)
        let plain = bench.manager.load(bench.request())
        let transformed = bench.manager.load(bench.request([.transformer(FakeTransformer())]))
        try await bench.manager.waitForWaiters(2, for: .decode, of: bench.request())
        bench.gate.open()
        _ = try await (plain.response, transformed.response)
        #expect(bench.loader.loadCount == 1)
        #expect(bench.coder.decodeCount == 1)
    }

    @Test func `a plain request with limits is still stored as the original`() async throws {
        let bench = Bench(context: ImageContext.server.merging([.allowedSchemes(["fake"])]))
        let response = try await bench.manager.response(for: bench.request())
        #expect(response.data != nil)
        #expect(bench.data.stores.map(\.isOriginal) == [true])
    }

    @Test func `a request whose coder cannot read a good original leaves it unchanged`() async throws {
        let bench = Bench()
        _ = try await bench.manager.image(for: bench.request())
        struct Picky: ImageCoder { var formats: [ImageFormat] { [] } }
        let request = bench.request([.imageCoder(Picky()), .queryCacheType([])])
        let error = await imageError { try await bench.manager.image(for: request) }
        #expect(error?.code == .unknownFormat)
        #expect(bench.data.keys.map(\.isOriginal) == [true])
    }

    @Test func `a transformer result beyond the request's limits is refused`() async throws {
        let bench = Bench(context: [.maxPixels(2000)])
        let request = bench.request([.transformer(.resize(width: 60_000, height: 60_000, mode: .stretch))])
        let error = await imageError { try await bench.manager.image(for: request) }
        #expect(error?.code == .limitExceeded)
        let image = try await bench.manager.decode(RawImageCoder.file(width: 4, height: 4))
        let large = FakeTransformer(key: "large") { _ in image }
        let refused = await imageError {
            try await bench.manager.image(for: bench.request([.transformer(large), .maxPixels(1200)]))
        }
        #expect(refused == nil, "the transformer's result is within the limit")
    }

    @Test func `direct decodes have the same limits`() async throws {
        let manager = Bench().manager
        let file = RawImageCoder.file(width: 40, height: 30)
        for context: ImageContext in [[.maxInputBytes(100)], [.maxPixels(100)], [.maxSidePixels(39)]] {
            let decoded = await imageError { try await manager.decode(file, context: context) }
            #expect(decoded?.code == .limitExceeded)
            let info = await imageError { try await manager.info(of: file, context: context) }
            #expect(info?.code == .limitExceeded)
        }
    }

    @Test func `priority and timeout set by the processor apply`() async throws {
        struct Hurry: OptionsProcessor {
            func process(_ context: ResolvedContext, for url: URL) throws -> ImageContext {
                [.priority(.veryHigh), .timeout(.seconds(1))]
            }
        }
        let bench = Bench(isOpen: false)
        let task = bench.manager.load(bench.request([.optionsProcessor(Hurry())]))
        await bench.gate.waitForArrivals(1)
        #expect(task.priority == .veryHigh)
        bench.time.advance(by: .seconds(2))
        let error = await imageError { try await task.response }
        #expect(error?.code == .timedOut)
    }

    @Test func `the serializer's data is stored`() async throws {
        struct Serializer: CacheSerializer {
            func data(for serialization: Serialization) throws -> Data? {
                serialization.original == nil ? nil : Data("mine".utf8)
            }
        }
        let bench = Bench(context: [.cacheSerializer(Serializer())])
        let request = bench.request([.thumbnailPixelSize(4, 4)])
        _ = try await bench.manager.image(for: request)
        let key = try await bench.manager.cacheKey(for: request)
        #expect(try bench.data.entry(for: key.original)?.data == Data("mine".utf8))
        #expect(
            try bench.data.entry(for: key)?.data.starts(with: Data("CALORAW".utf8)) == true,
            "a serializer that returns nil leaves the variant to the default rule")
    }

    @Test func `a serializer that throws is reported as an event, and nothing is stored`() async throws {
        struct Broken: CacheSerializer {
            struct Refusal: Error {}
            func data(for serialization: Serialization) throws -> Data? { throw Refusal() }
        }
        let bench = Bench(context: [.cacheSerializer(Broken())])
        #expect(try await bench.manager.image(for: bench.request()).width == 40)
        #expect(bench.data.keys.isEmpty)
        await bench.manager.waitForEvents()
        #expect(bench.listener.issues.contains { $0.code == .encodeFailed })
    }

    @Test func `each tier can be stored to, queried and cleared separately`() async throws {
        let bench = Bench()
        let (manager, request) = (bench.manager, bench.request())
        let image = try await manager.decode(RawImageCoder.file(width: 3, height: 2))
        try await manager.store(image, for: request, in: .memory)
        #expect(try await manager.contains(request) == .memory)
        try await manager.store(image, for: request, in: .disk)
        #expect(try await manager.contains(request) == .all)
        #expect(try await manager.contains(request, in: .disk) == .disk)
        try await manager.remove(request, from: .memory)
        #expect(try await manager.contains(request) == .disk)
        try bench.cache.clear(.disk)
        #expect(try await manager.contains(request) == [])
    }

    @Test func `a thumbnail size of zero changes no key`() async throws {
        let bench = Bench()
        let none = try await bench.manager.cacheKey(for: bench.request([.thumbnailPixelSize(0, 0)]))
        #expect(try await bench.manager.cacheKey(for: bench.request()) == none)
    }

    @Test func `cancelling ends a request that waits for its store`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let bench = Bench(context: [.imageCache(TieredCache(memory: nil, disk: GatedDataCache(stores: gate)))])
        let task = bench.manager.load(bench.request())
        await gate.waitForArrivals(1)
        task.cancel()
        let error = await imageError { try await task.response }
        #expect(error?.code == .cancelled)
    }
}
