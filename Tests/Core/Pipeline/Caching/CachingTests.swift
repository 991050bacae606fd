import Calotype
import CalotypeTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CachingTests {
    @Test func `the second request is answered from memory, without a task`() async throws {
        let bench = Bench()
        let request = bench.request([.thumbnailPixelSize(10, 10)])
        #expect(bench.manager.cachedResponse(for: request) == nil)
        let first = try await bench.manager.response(for: request)
        #expect(first.source == .loader)
        let second = bench.manager.cachedResponse(for: request)
        #expect(second?.source == .memory)
        #expect(second?.image.isIdentical(to: first.image) == true)
        let task = bench.manager.load(request)
        #expect(task.isFinished)
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `a variant on disk answers without the original`() async throws {
        let bench = Bench()
        let request = bench.request([.thumbnailPixelSize(10, 10)])
        let first = try await bench.manager.image(for: request)
        bench.memory.clear()
        let second = try await bench.manager.response(for: request)
        #expect(second.source == .disk)
        #expect(second.image.colors == first.colors)
        #expect(second.image.attributes.originalSize == PixelSize(40, 30))
        #expect(bench.loader.loadCount == 1)
        #expect(bench.manager.cachedResponse(for: request) != nil, "an image read from disk is in memory again")
    }

    @Test func `another size is made from the original on disk`() async throws {
        let bench = Bench()
        _ = try await bench.manager.image(for: bench.request([.thumbnailPixelSize(10, 10)]))
        let other = try await bench.manager.response(for: bench.request([.thumbnailPixelSize(12, 12)]))
        #expect(other.source == .disk)
        #expect(other.image.size == PixelSize(12, 9))
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `originals are kept as the bytes received`() async throws {
        let bench = Bench()
        let request = bench.request()
        let response = try await bench.manager.response(for: request)
        let key = try await bench.manager.cacheKey(for: request)
        let file = RawImageCoder.file(width: 40, height: 30)
        #expect(try bench.data.entry(for: key)?.data == file)
        #expect(response.data == file)
        #expect(bench.data.stores == [key], "a plain request stores one entry")
    }

    @Test func `data that does not decode is not stored`() async throws {
        let bench = Bench()
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(Data("CALORAW {}\n".utf8)))
        let error = await imageError { try await bench.manager.image(for: bench.request()) }
        #expect(error?.code == .badData)
        #expect(bench.data.keys.isEmpty)
        #expect(bench.memory.count == 0)
    }

    @Test func `an original on disk that no longer decodes is loaded again`() async throws {
        let bench = Bench()
        let request = bench.request([.thumbnailPixelSize(10, 10), .queryCacheType([])])
        _ = try await bench.manager.image(for: request)
        let original = try await bench.manager.cacheKey(for: request).original
        try bench.data.store(CacheEntry(data: Data("CALORAW {}\n".utf8)), for: original)
        #expect(try await bench.manager.image(for: request).width == 10)
        #expect(bench.loader.loadCount == 2)
        #expect(try bench.data.entry(for: original)?.data.count ?? 0 > 100, "the damaged entry has been replaced")
    }

    @Test func `a variant on disk that no longer decodes is made again`() async throws {
        let bench = Bench()
        let request = bench.request([.thumbnailPixelSize(10, 10)])
        _ = try await bench.manager.image(for: request)
        let key = try await bench.manager.cacheKey(for: request)
        try bench.data.store(CacheEntry(data: Data("CALORAW {}\n".utf8)), for: key)
        bench.memory.clear()
        #expect(try await bench.manager.image(for: request).width == 10)
        #expect(bench.loader.loadCount == 1)
        await bench.manager.waitForEvents()
        #expect(bench.listener.issues.contains { $0.code == .badData })
    }

    @Test func `a removed variant is made again from the cached original, without loading`() async throws {
        let bench = Bench()
        let request = bench.request([.thumbnailPixelSize(10, 10)])
        _ = try await bench.manager.image(for: request)
        try bench.data.remove(await bench.manager.cacheKey(for: request))
        bench.memory.clear()
        let response = try await bench.manager.response(for: request)
        #expect(response.image.width == 10)
        #expect(response.source == .disk)
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `a miss with loading disallowed is the error notCached`() async throws {
        let bench = Bench()
        let error = await imageError { try await bench.manager.image(for: bench.request([.fromCacheOnly])) }
        #expect(error?.code == .notCached)
        #expect(bench.loader.loadCount == 0)
    }

    @Test func `a cache that always fails does not fail the request, and is reported`() async throws {
        let bench = Bench()
        bench.data.failure = ImageError(.cacheFailed, stage: .store, message: "the disk is full")
        let image = try await bench.manager.image(for: bench.request([.thumbnailPixelSize(10, 10)]))
        #expect(image.width == 10)
        await bench.manager.waitForEvents()
        #expect(bench.listener.issues.contains { $0.code == .cacheFailed })
    }

    @Test func `a failing transformer is an error, and nothing is stored for the variant`() async throws {
        let bench = Bench()
        struct Refusal: Error {}
        let request = bench.request([.transformer(FakeTransformer(key: "no") { _ in throw Refusal() })])
        let error = await imageError { try await bench.manager.image(for: request) }
        #expect(error?.code == .transformFailed)
        #expect(error?.cause is Refusal)
        #expect(try await bench.manager.contains(request) == [])
        let original = try await bench.manager.cacheKey(for: request).original
        try await waitUntil("the original is stored") { !bench.data.keys.isEmpty }
        #expect(bench.data.keys == [original], "the original was decoded, and is kept")
    }

    @Test func `without an encoder only the original is stored, and an event reports it`() async throws {
        let bench = Bench()
        let readOnly = ReadOnlyCoder(coder: bench.coder)
        let request = bench.request([.thumbnailPixelSize(10, 10), .imageCoder(readOnly)])
        _ = try await bench.manager.image(for: request)
        let key = try await bench.manager.cacheKey(for: request)
        #expect(bench.data.keys == [key.original])
        await bench.manager.waitForEvents()
        #expect(bench.listener.issues.contains { $0.code == .unknownFormat && $0.stage == .encode })
    }

    @Test func `removing all variants of a source removes the original too`() async throws {
        let bench = Bench()
        for side in [5, 6, 7] {
            _ = try await bench.manager.image(for: bench.request([.thumbnailPixelSize(side, side)]))
        }
        _ = try await bench.manager.image(for: "fake://host/other.raw")
        try await bench.manager.remove(bench.request(), allVariants: true)
        #expect(bench.data.keys.map(\.source.text) == ["fake://host/other.raw"])
        #expect(bench.memory.count == 1)
    }

    @Test func `an image stored through the manager is found by its request`() async throws {
        let bench = Bench()
        let image = try await bench.manager.decode(RawImageCoder.file(width: 3, height: 2))
        let request = bench.request([.transformer(FakeTransformer())])
        try await bench.manager.store(image, for: request)
        #expect(try await bench.manager.contains(request) == .all)
        bench.memory.clear()
        #expect(try await bench.manager.contains(request) == .disk)
        let response = try await bench.manager.response(for: request)
        #expect(response.source == .disk)
        #expect(response.image.colors == image.colors)
        #expect(bench.loader.loadCount == 0)
        try await bench.manager.remove(request)
        #expect(try await bench.manager.contains(request) == [])
    }

    @Test func `background stores may finish after the request`() async throws {
        let (cache, gate) = (ScriptedImageCache(), BlockingGate())
        defer { gate.open() }
        cache.hold(.store, at: gate)
        let bench = Bench(context: [.off(.waitStoreCache), .imageCache(cache)])
        let task = bench.manager.load(bench.request())
        try await waitUntil("the request ends while its store waits") { task.isFinished }
        let response = try await task.response
        #expect(cache.entries.isEmpty)
        gate.open()
        let key = try await bench.manager.cacheKey(for: bench.request())
        try await waitUntil("the store ends after the request") { cache.entries[key] != nil }
        #expect(cache.entries[key]?.data == response.data)
    }
}

/// A coder that cannot encode.
private struct ReadOnlyCoder: ImageCoder {
    let coder: RawImageCoder
    var formats: [ImageFormat] { coder.formats }
    func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
        try coder.decoder(for: bytes, options: options)
    }
}
