import CalotypeTesting
import Testing

@testable import Calotype

/// Variants that are identical to the original, and originals of which a cache has only a part.
@Suite(.timeLimit(.minutes(5)))
struct OriginalAgainTests {
    private let bench = Bench()

    private static let contexts: [ImageContext] = [
        [.allowPartial], [.keepsMetadata], [.scaleDownLimitBytes(1 << 30)], [.thumbnailPixelSize(400, 400)],
        [.allowPartial, .keepsMetadata, .thumbnailPixelSize(40, 30)],
    ]

    @Test(arguments: contexts)
    func `a variant that equals the original is not written a second time`(_ context: ImageContext) async throws {
        let request = bench.request(context)
        let first = try await bench.manager.image(for: request)
        #expect(bench.data.stores.map(\.isOriginal) == [true])
        bench.memory.clear()
        let second = try await bench.manager.response(for: request)
        #expect(second.source == .disk)
        #expect(second.image.colors == first.colors)
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `a variant that equals the original is written if no original is stored`() async throws {
        _ = try await bench.manager.image(for: bench.request([.keepsMetadata, .originalStoreCacheType([])]))
        #expect(bench.data.stores.map(\.isOriginal) == [false])
    }

    private static let others: [ImageContext] = [
        [.thumbnailPixelSize(20, 20)], [.nativeDepth], [.keepsProfile], [.frame(0)],
        [.transformer(.resize(width: 40, height: 30))],
    ]

    @Test(arguments: others)
    func `a variant that may differ from the original is written`(_ context: ImageContext) async throws {
        _ = try await bench.manager.image(for: bench.request(context))
        #expect(bench.data.stores.filter { !$0.isOriginal }.count == 1)
    }

    @Test func `an incomplete cached original is loaded again`() async throws {
        let request = bench.request([.allowPartial])
        let key = try await bench.manager.cacheKey(for: request).original
        let whole = RawImageCoder.file(width: 40, height: 30)
        try bench.data.store(CacheEntry(data: whole.dropLast(40 * 4 * 10)), for: key)
        let response = try await bench.manager.response(for: request)
        #expect(response.source == .loader)
        #expect(!response.image.attributes.isPartial)
        #expect(try bench.data.entry(for: key)?.data == whole)
    }

    @Test func `an incomplete picture of the cached original is released before the original is loaded again`()
        async throws
    {
        let bench = Bench(isOpen: false)
        let request = bench.request([.allowPartial])
        let key = try await bench.manager.cacheKey(for: request).original
        let whole = RawImageCoder.file(width: 40, height: 30)
        try bench.data.store(CacheEntry(data: whole.dropLast(40 * 4 * 10)), for: key)
        let task = bench.manager.load(request)
        await bench.gate.waitForArrivals(1)
        #expect(bench.coder.decodeCount == 1)
        // The thread that decoded may hold the picture for a moment longer.
        try await waitUntil("the incomplete picture is released") {
            bench.manager.pipeline.unfinished.byteCount == 0
        }
        bench.gate.open()
        #expect(try await task.response.source == .loader)
    }

    @Test func `an incomplete cached original is used if nothing may be loaded`() async throws {
        let request = bench.request([.allowPartial, .fromCacheOnly])
        let key = try await bench.manager.cacheKey(for: request).original
        let whole = RawImageCoder.file(width: 40, height: 30)
        try bench.data.store(CacheEntry(data: whole.dropLast(40 * 4 * 10)), for: key)
        #expect(try await bench.manager.image(for: request).attributes.isPartial)
        #expect(bench.loader.loadCount == 0)
    }
}
