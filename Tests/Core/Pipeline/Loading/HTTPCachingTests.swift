import CalotypeTesting
import Testing

@testable import Calotype

/// Requests with the caching rules of HTTP.
@Suite(.timeLimit(.minutes(5)))
struct HTTPCachingTests {
    private let bench = Bench()
    private let data: InMemoryDataCache
    private let memory: BoundedMemoryCache
    private let cache: TieredCache
    private let context: ImageContext
    private let speaker: Speaker

    /// A loader that adds a language to its requests.
    private final class Speaker: ImageLoader {
        let language = Lock<String?>(nil)
        private let loader: FakeImageLoader

        init(_ loader: FakeImageLoader) { self.loader = loader }

        func canLoad(_ request: LoadRequest) -> Bool { loader.canLoad(request) }

        func requestField(_ name: String, for request: LoadRequest) -> String? {
            name == "accept-language" ? language.withLock(\.self) : nil
        }

        @concurrent
        func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
            try await loader.load(request, into: sink)
        }
    }

    init() {
        speaker = Speaker(bench.loader)
        bench.manager.registry.loaders.add(speaker)
        data = InMemoryDataCache(time: bench.time)
        memory = BoundedMemoryCache(costLimit: 64 << 20, trimsUnderPressure: false, time: bench.time)
        cache = TieredCache(memory: memory, disk: data)
        context = [.imageCache(cache), .httpCaching(.respect)]
    }

    private static let red = file(SIMD4(255, 0, 0, 255))
    private static let blue = file(SIMD4(0, 0, 255, 255))

    private static func file(_ color: SIMD4<UInt8>) -> Data {
        RawImageCoder.file(RawImageCoder.Header(width: 40, height: 30)) { _, _, _ in color }
    }

    /// Sets the response of the source: a version of the picture, and the fields for caching.
    /// - Parameter validators: The validators of the response; nil for its entity tag.
    private func answer(
        _ data: Data, version: String, cacheControl: String, vary: String? = nil, validators: Validators? = nil
    ) {
        let now = bench.time.wallTime()
        var fields = ["cache-control": cacheControl, "etag": "\"\(version)\""]
        fields["vary"] = vary
        let language = speaker.language.withLock(\.self)
        let record = HTTPCacheRecord(status: 200, requestedAt: now, receivedAt: now) {
            fields[$0.lowercased()]
        } requestField: {
            $0 == "accept-language" ? language : nil
        }
        let head = LoadHead(
            validators: validators ?? Validators(entityTag: "\"\(version)\""), caching: record)
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

    @Test func `a fresh response is not requested again, a stale one is revalidated and fresh again`() async throws {
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
        // When a minute has passed
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

    @Test func `a changed picture is loaded`() async throws {
        answer(Self.red, version: "1", cacheControl: "max-age=60")
        #expect(try await source(thumbnail) == .loader)
        bench.time.advance(by: .seconds(60))
        answer(Self.blue, version: "2", cacheControl: "max-age=60")
        let response = try await bench.manager.response(for: bench.request(context.merging(thumbnail)))
        #expect(response.source == .loader)
        #expect(response.image.pixels.color(x: 0, y: 0).blue == 1)
    }

    @Test func `a no-store response is not stored, and is stored if the request ignores HTTP caching`() async throws {
        answer(Self.red, version: "1", cacheControl: "no-store")
        #expect(try await source([.waitStoreCache]) == .loader)
        #expect(try await source(thumbnail.merging([.waitStoreCache])) == .loader)
        #expect(data.keys.isEmpty)
        #expect(memory.count == 0)
        #expect(try await source([.httpCaching(.ignore)]) == .loader)
        #expect(try await source([.httpCaching(.ignore)]) == .memory)
    }

    @Test func `a no-cache response is stored and revalidated on each use`() async throws {
        answer(Self.red, version: "1", cacheControl: "no-cache")
        #expect(try await source([.waitStoreCache]) == .loader)
        for _ in 0..<3 { #expect(try await source() == .revalidated) }
        #expect(memory.count == 0)
        #expect(try await entry()?.data == Self.red)
    }

    @Test func `stale-while-revalidate returns the stale image at once`() async throws {
        answer(Self.red, version: "1", cacheControl: "max-age=60, stale-while-revalidate=30")
        #expect(try await source([.waitStoreCache]) == .loader)
        bench.time.advance(by: .seconds(89))
        answer(Self.blue, version: "2", cacheControl: "max-age=60, stale-while-revalidate=30")
        let stale = try await bench.manager.response(for: bench.request(context))
        #expect(stale.source == .disk)
        #expect(stale.image.pixels.color(x: 0, y: 0).red == 1)
        // Then the new one is returned as soon as it has been stored.
        let key = try await bench.manager.cacheKey(for: bench.request(context))
        try await waitUntil("the new copy is stored") { try data.entry(for: key)?.data == Self.blue }
        let fresh = try await bench.manager.response(for: bench.request(context))
        #expect(fresh.image.pixels.color(x: 0, y: 0).blue == 1)
        #expect(bench.loader.loadCount == 2)
    }

    @Test func `stale-if-error returns the stale image after a failure, for the stated time only`() async throws {
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
        // A request from the cache only accepts any entry.
        #expect(try await source([.fromCacheOnly]) == .disk)
    }

    @Test func `a stale image is not used while the failure of its source is remembered`() async throws {
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

    @Test func `a response that becomes no-store is removed on revalidation`() async throws {
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

    @Test func `many requests answered with a stale copy refresh it once`() async throws {
        answer(Self.red, version: "1", cacheControl: "max-age=60, stale-while-revalidate=30")
        #expect(try await source([.waitStoreCache]) == .loader)
        bench.time.advance(by: .seconds(70))
        bench.gate.close()
        for _ in 0..<20 { #expect(try await source() == .disk) }
        await bench.gate.waitForArrivals(2)
        let pipeline = bench.manager.pipeline
        let resolved = try await bench.manager.resolved(of: bench.request(context))
        let key = OriginalKey(resolved, access: .refresh, after: pipeline.changes)
        #expect(pipeline.originals.waiterCount(for: key) == 1)
        bench.gate.open()
        try await waitUntil("no refresh is running") { pipeline.refreshing.withLock { $0.isEmpty } }
        #expect(bench.loader.loadCount == 2)
    }

    // MARK: Vary

    private func speak(_ language: String?) { speaker.language.withLock { $0 = language } }

    private func waitForStores() async { await bench.manager.pipeline.pendingStores.wait(for: cache) }

    @Test(arguments: [[], [.thumbnailPixelSize(10, 10)], [.transformer(FakeTransformer())]] as [ImageContext])
    func `a response for other Vary values is requested again, and revalidated for the current ones`(
        variant: ImageContext
    ) async throws {
        speak("pt")
        answer(Self.red, version: "1", cacheControl: "max-age=600", vary: "Accept-Language")
        let request = variant.merging([.waitStoreCache])
        #expect(try await source(request) == .loader)
        #expect(try await source(request) == .memory)
        // A 304 response without a Vary field
        answer(Self.red, version: "1", cacheControl: "max-age=600")
        for (count, language) in zip(2..., ["de", nil, "pt"] as [String?]) {
            speak(language)
            #expect(try await source(request) == .revalidated)
            #expect(bench.loader.requests.last?.validators?.entityTag == "\"1\"")
            await waitForStores()
            #expect(try await source(request) == .memory)
            memory.clear()
            #expect(try await source(request) == .disk)
            #expect(bench.loader.loadCount == count)
        }
    }

    @Test(arguments: [nil, "\"1\""])
    func `the date of a response for other Vary values is not used for validation`(
        tag: String?
    ) async throws {
        let old = Validators(entityTag: tag, lastModified: "Thu, 01 Jan 2026 00:00:00 GMT")
        speak("pt")
        answer(Self.red, version: "1", cacheControl: "max-age=600", vary: "Accept-Language", validators: old)
        #expect(try await source([.waitStoreCache]) == .loader)
        // Given that all pictures have the same date
        speak("de")
        let other = Validators(entityTag: tag.map { _ in "\"2\"" }, lastModified: old.lastModified)
        answer(Self.blue, version: "2", cacheControl: "max-age=600", vary: "Accept-Language", validators: other)
        let response = try await bench.manager.response(for: bench.request(context))
        #expect(response.source == .loader)
        #expect(response.image.pixels.color(x: 0, y: 0).blue == 1)
        #expect(bench.loader.requests.last?.validators == tag.map { Validators(entityTag: $0) })
        // A request with the matching fields uses the date as well.
        await waitForStores()
        _ = try await source([.refreshCached])
        #expect(bench.loader.requests.last?.validators == other)
    }

    @Test func `a variant made for other Vary values is made again, even if its original now matches`() async throws {
        speak("pt")
        answer(Self.red, version: "1", cacheControl: "max-age=600", vary: "Accept-Language")
        let small = thumbnail.merging([.waitStoreCache])
        #expect(try await source([.waitStoreCache]) == .loader)
        #expect(try await source(small) == .disk)
        speak("de")
        answer(Self.red, version: "1", cacheControl: "max-age=600", vary: "Accept-Language")
        #expect(try await source() == .revalidated)
        await waitForStores()
        for tier in [ImageResponse.Source.disk, .memory] { #expect(try await source(small) == tier) }
        let key = try await bench.manager.cacheKey(for: bench.request(context.merging(thumbnail)))
        #expect(data.stores.filter { $0 == key }.count == 2)
        #expect(bench.loader.loadCount == 2)
    }

    @Test func `a variant of an original in memory has the same Vary restrictions`() async throws {
        let inMemory: ImageContext = [.originalQueryCacheType(.memory), .originalStoreCacheType([]), .waitStoreCache]
        speak("pt")
        answer(Self.red, version: "1", cacheControl: "max-age=600", vary: "Accept-Language")
        #expect(try await source([.storeCacheType(.memory)]) == .loader)
        #expect(try await source(thumbnail.merging(inMemory)) == .memory)
        speak("de")
        answer(Self.blue, version: "2", cacheControl: "max-age=600", vary: "Accept-Language")
        #expect(try await source(thumbnail.merging(inMemory)) == .loader)
        #expect(bench.loader.loadCount == 2)
    }

    @Test func `a response for other Vary values is used neither while revalidating nor on error`() async throws {
        speak("pt")
        let control = "max-age=60, stale-while-revalidate=600, stale-if-error=600"
        answer(Self.red, version: "1", cacheControl: control, vary: "Accept-Language")
        #expect(try await source([.waitStoreCache]) == .loader)
        let failure = ImageError(.connectionFailed, stage: .load, message: "the line is dead")
        bench.loader.answer(Bench.url.absoluteString, with: .failure(failure))
        for span in [0, 61] {
            bench.time.advance(by: .seconds(span))
            speak("de")
            #expect(await imageError { try await source() }?.code == .connectionFailed)
            // A request from the cache only accepts any entry.
            let kept = try await source([.fromCacheOnly, .storeCacheType([])])
            #expect(kept == (span == 0 ? .memory : .disk))
            speak("pt")
            #expect(try await source([.storeCacheType([])]) == kept)
        }
    }

    @Test func `Vary values are stored only as digests`() async throws {
        speak("s3cr3t")
        answer(Self.red, version: "1", cacheControl: "max-age=600", vary: "Accept-Language")
        for request in [[], thumbnail] as [ImageContext] { _ = try await source(request.merging([.waitStoreCache])) }
        #expect(data.keys.count == 2)
        for key in data.keys {
            let attributes = try #require(try data.entry(for: key)).attributes
            let text = key.isOriginal ? attributes["http"] : attributes["vary"]
            #expect(text?.contains("accept-language:") == true)
            if key.isOriginal { #expect(attributes["vary"] == nil && attributes["version"] == nil) }
            #expect(attributes.values.allSatisfy { !$0.contains("s3cr3t") })
        }
    }
}
