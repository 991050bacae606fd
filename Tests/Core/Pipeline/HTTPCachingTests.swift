import CalotypeTesting
import Testing

@testable import Calotype

/// Requests for which the rules of HTTP hold.
@Suite(.timeLimit(.minutes(5)))
struct HTTPCachingTests {
    private let bench = Bench()
    private let data: InMemoryDataCache
    private let memory: BoundedMemoryCache
    private let cache: TieredCache
    private let context: ImageContext

    init() {
        data = InMemoryDataCache(time: bench.time)
        memory = BoundedMemoryCache(costLimit: 64 << 20, trimsUnderPressure: false, time: bench.time)
        cache = TieredCache(memory: memory, data: data)
        context = [.imageCache(cache), .httpCaching(.respect)]
    }

    private static let red = file(SIMD4(255, 0, 0, 255))
    private static let blue = file(SIMD4(0, 0, 255, 255))

    private static func file(_ color: SIMD4<UInt8>) -> Data {
        RawImageCoder.file(RawImageCoder.Header(width: 40, height: 30)) { _, _, _ in color }
    }

    /// Has the source answer with a version of the picture, and with what the rules go by.
    private func answer(_ data: Data, version: String, cacheControl: String) {
        let now = bench.time.wallTime()
        let fields = ["cache-control": cacheControl, "etag": "\"\(version)\""]
        let record = HTTPCacheRecord(status: 200, requestedAt: now, receivedAt: now) { fields[$0.lowercased()] }
        let head = LoadHead(validators: Validators(entityTag: "\"\(version)\""), caching: record)
        bench.loader.answer(Bench.url.absoluteString, with: .version(data, head))
    }

    private func source(_ request: ImageContext = []) async throws -> ImageResponse.Source {
        try await bench.manager.response(for: bench.request(context.merging(request))).source
    }

    private func entry() async throws -> CacheEntry? {
        let key = try await bench.manager.cacheKey(for: bench.request(context))
        return try data.entry(for: key)
    }

    private let thumbnail: ImageContext = [.thumbnailPixelSize(10, 10)]

    @Test func `what is fresh is not asked for, what is not is confirmed, and is fresh again`() async throws {
        answer(Self.red, version: "1", cacheControl: "max-age=60")
        #expect(try await source() == .loader)
        #expect(try await source(thumbnail) == .disk)
        bench.time.advance(by: .seconds(59))
        #expect(try await source() == .memory)
        #expect(try await source(thumbnail) == .memory)
        memory.clear()
        #expect(try await source() == .disk)
        #expect(try await source(thumbnail) == .disk)
        #expect(bench.loader.loadCount == 1)
        // Then a minute has passed
        bench.time.advance(by: .seconds(1))
        answer(Self.red, version: "1", cacheControl: "max-age=60")
        #expect(try await source(thumbnail) == .revalidated)
        #expect(bench.loader.requests.last?.validators?.entityTag == "\"1\"")
        let original = try await bench.manager.cacheKey(for: bench.request(context))
        await bench.manager.pipeline.pendingStores.wait(for: StoreKey(original, in: cache))
        bench.time.advance(by: .seconds(59))
        #expect(try await source() == .disk)
        #expect(try await source(thumbnail) == .memory)
        #expect(bench.loader.loadCount == 2)
    }

    @Test func `what is another by now is brought`() async throws {
        answer(Self.red, version: "1", cacheControl: "max-age=60")
        #expect(try await source(thumbnail) == .loader)
        bench.time.advance(by: .seconds(60))
        answer(Self.blue, version: "2", cacheControl: "max-age=60")
        let response = try await bench.manager.response(for: bench.request(context.merging(thumbnail)))
        #expect(response.source == .loader)
        #expect(response.image.pixels.color(x: 0, y: 0).blue == 1)
    }

    @Test func `what must not be kept is not, and whoever does not care has it as ever`() async throws {
        answer(Self.red, version: "1", cacheControl: "no-store")
        #expect(try await source([.waitStoreCache]) == .loader)
        #expect(try await source(thumbnail.merging([.waitStoreCache])) == .loader)
        #expect(data.keys.isEmpty)
        #expect(memory.count == 0)
        #expect(try await source([.httpCaching(.ignore)]) == .loader)
        #expect(try await source([.httpCaching(.ignore)]) == .memory)
    }

    @Test func `what must be confirmed each time is kept for that`() async throws {
        answer(Self.red, version: "1", cacheControl: "no-cache")
        #expect(try await source([.waitStoreCache]) == .loader)
        for _ in 0..<3 { #expect(try await source() == .revalidated) }
        #expect(memory.count == 0)
        #expect(try await entry()?.data == Self.red)
    }

    @Test func `what may be shown while it is confirmed is shown at once`() async throws {
        answer(Self.red, version: "1", cacheControl: "max-age=60, stale-while-revalidate=30")
        #expect(try await source([.waitStoreCache]) == .loader)
        bench.time.advance(by: .seconds(89))
        answer(Self.blue, version: "2", cacheControl: "max-age=60, stale-while-revalidate=30")
        let stale = try await bench.manager.response(for: bench.request(context))
        #expect(stale.source == .disk)
        #expect(stale.image.pixels.color(x: 0, y: 0).red == 1)
        // Then the new one is there as soon as it has come.
        while try await entry()?.data != Self.blue {
            try Task.checkCancellation()
            await Task.yield()
        }
        let fresh = try await bench.manager.response(for: bench.request(context))
        #expect(fresh.image.pixels.color(x: 0, y: 0).blue == 1)
        #expect(bench.loader.loadCount == 2)
    }

    @Test func `what may be shown when its source fails is shown then, and only as long`() async throws {
        answer(Self.red, version: "1", cacheControl: "max-age=60, stale-if-error=30")
        #expect(try await source([.waitStoreCache]) == .loader)
        bench.time.advance(by: .seconds(89))
        let failure = ImageError(.connectionFailed, stage: .load, message: "the line is dead")
        bench.loader.answer(Bench.url.absoluteString, with: .failure(failure))
        #expect(try await source() == .disk)
        let gone = ImageError(.notFound, stage: .load, message: "is gone")
        bench.loader.answer(Bench.url.absoluteString, with: .failure(gone))
        #expect(await imageError { try await source() }?.code == .notFound)
        bench.time.advance(by: .seconds(1))
        bench.loader.answer(Bench.url.absoluteString, with: .failure(failure))
        #expect(await imageError { try await source() }?.code == .connectionFailed)
        // Who asks for what a cache has, whatever it is, has it.
        #expect(try await source([.fromCacheOnly]) == .disk)
    }

    @Test func `what is gone does not come back while its failure is remembered`() async throws {
        answer(Self.red, version: "1", cacheControl: "no-cache")
        #expect(try await source([.waitStoreCache]) == .loader)
        let gone = ImageError(.notFound, stage: .load, message: "is gone")
        bench.loader.answer(Bench.url.absoluteString, with: .failure(gone))
        for _ in 0..<2 {
            let error = await imageError { try await source([.failedURLTimeToLive(.seconds(60))]) }
            #expect(error?.code == .notFound)
        }
        #expect(bench.loader.loadCount == 2)
    }

    @Test func `what must not be kept any more goes when it is confirmed`() async throws {
        answer(Self.red, version: "1", cacheControl: "max-age=60")
        #expect(try await source([.waitStoreCache]) == .loader)
        bench.time.advance(by: .seconds(60))
        answer(Self.red, version: "1", cacheControl: "no-store, max-age=600")
        #expect(try await source() == .revalidated)
        let key = try await bench.manager.cacheKey(for: bench.request(context))
        await bench.manager.pipeline.pendingStores.wait(for: StoreKey(key, in: cache))
        #expect(try await entry() == nil)
        #expect(memory.count == 0)
    }

    @Test func `many who are shown what is stale have it asked for once`() async throws {
        answer(Self.red, version: "1", cacheControl: "max-age=60, stale-while-revalidate=30")
        #expect(try await source([.waitStoreCache]) == .loader)
        bench.time.advance(by: .seconds(70))
        bench.gate.close()
        for _ in 0..<20 { #expect(try await source() == .disk) }
        await bench.gate.waitForArrivals(2)
        let pipeline = bench.manager.pipeline
        let resolution = try await bench.manager.resolution(of: bench.request(context))
        let key = OriginalKey(resolution, access: .refresh, after: pipeline.changes)
        #expect(pipeline.originals.waiterCount(for: key) == 1)
        bench.gate.open()
        while !pipeline.refreshing.withLock({ $0.isEmpty }) {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(bench.loader.loadCount == 2)
    }
}
