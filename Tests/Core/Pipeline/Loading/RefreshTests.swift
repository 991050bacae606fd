import CalotypeTesting
import Testing

@testable import Calotype

/// Requests that ask the source even though the image is cached.
@Suite(.timeLimit(.minutes(5)))
struct RefreshTests {
    private static let red = file(SIMD4(255, 0, 0, 255))
    private static let blue = file(SIMD4(0, 0, 255, 255))

    private static func file(_ color: SIMD4<UInt8>) -> Data {
        RawImageCoder.file(RawImageCoder.Header(width: 40, height: 30)) { _, _, _ in color }
    }

    /// Sets the picture of the source, with a named version.
    private func answer(_ bench: Bench, _ data: Data, version: String?) {
        let validators = version.map { Validators(entityTag: "\"\($0)\"") }
        bench.loader.answer(Bench.url.absoluteString, with: .version(data, LoadHead(validators: validators)))
    }

    /// Returns the events of a request's task except progress, as texts.
    private func events(of request: ImageRequest, in bench: Bench) async throws -> [String] {
        // The listener starts before the source responds, since a late listener receives only the end.
        bench.gate.close()
        var events = bench.manager.load(request).makeAsyncIterator()
        bench.gate.open()
        var seen: [String] = []
        while let event = try await events.next() {
            switch event {
            case .cached(let response): seen.append("cached from \(response.source)")
            case .finished(let response): seen.append("finished from \(response.source)")
            case .preview: seen.append("preview")
            default: break
            }
        }
        return seen
    }

    @Test(arguments: [[], [.thumbnailPixelSize(10, 10)], [.transformer(FakeTransformer())]] as [ImageContext])
    func `an unchanged image is delivered twice, and not sent, decoded or stored again`(
        context: ImageContext
    ) async throws {
        let bench = Bench()
        answer(bench, Self.red, version: "1")
        let request = bench.request(context)
        let first = try await bench.manager.response(for: request)
        let decodeCount = bench.coder.decodeCount
        let stores = bench.data.stores
        let response = try await bench.manager.response(for: request.with([.refreshCached]))
        #expect(response.source == .revalidated)
        #expect(response.image.isIdentical(to: first.image))
        #expect(bench.loader.requests.last?.validators == Validators(entityTag: "\"1\""))
        #expect(bench.coder.decodeCount == decodeCount)
        #expect(bench.data.stores == stores)
        let seen = try await events(of: request.with([.refreshCached]), in: bench)
        #expect(seen == ["cached from memory", "finished from revalidated"])
        bench.memory.clear()
        let fromDisk = try await events(of: request.with([.refreshCached]), in: bench)
        #expect(fromDisk == ["cached from disk", "finished from revalidated"])
        #expect(bench.loader.loadCount == 4)
        #expect(
            bench.manager.cachedResponse(for: request) != nil, "a cached image delivered from disk is in memory again")
    }

    @Test func `a changed image is loaded and stored, and variants of the old one are removed`() async throws {
        let bench = Bench()
        answer(bench, Self.red, version: "1")
        let thumbnail = bench.request([.thumbnailPixelSize(10, 10)])
        let other = bench.request([.thumbnailPixelSize(20, 20)])
        _ = try await bench.manager.image(for: thumbnail)
        _ = try await bench.manager.image(for: other)
        answer(bench, Self.blue, version: "2")
        let seen = try await events(of: thumbnail.with([.refreshCached]), in: bench)
        #expect(seen == ["cached from memory", "finished from loader"])
        let color = try await bench.manager.image(for: thumbnail).pixels.color(x: 0, y: 0)
        #expect(color == PixelColor(red: 0, green: 0, blue: 1, alpha: 1))
        #expect(bench.loader.loadCount == 2)
        // Then both sizes are made from the new one, without another load.
        for request in [thumbnail, other] {
            let image = try await bench.manager.image(for: request)
            #expect(image.pixels.color(x: 0, y: 0) == color)
        }
        #expect(bench.loader.loadCount == 2)
        let original = try await bench.manager.cacheKey(for: bench.request())
        #expect(try bench.data.entry(for: original)?.data == Self.blue)
        #expect(try bench.data.entry(for: original)?.attributes["entityTag"] == "\"2\"")
    }

    @Test func `the picture of one policy stays when another policy is sent a new one`() async throws {
        let bench = Bench()
        answer(bench, Self.red, version: "1")
        let policies: [ImageContext] = [[], [.maxInputBytes(1 << 20)]]
        let requests = policies.flatMap { policy in
            [policy, policy.merging([.thumbnailPixelSize(10, 10)])].map { bench.request($0) }
        }
        for request in requests { _ = try await bench.manager.image(for: request) }
        #expect(bench.loader.loadCount == 2)
        let kept = Set(bench.data.keys)
        #expect(kept.count == 4)

        answer(bench, Self.blue, version: "2")
        _ = try await bench.manager.image(for: requests[1].with([.refreshCached]))
        #expect(bench.loader.loadCount == 3)
        let (blue, red) = (PixelColor(red: 0, green: 0, blue: 1), PixelColor(red: 1, green: 0, blue: 0))
        for clearsMemory in [false, true] {
            if clearsMemory { bench.memory.clear() }
            for (index, request) in requests.enumerated() {
                let image = try await bench.manager.image(for: request)
                #expect(image.pixels.color(x: 0, y: 0) == (index < 2 ? blue : red), "\(index)")
            }
        }
        #expect(bench.loader.loadCount == 3)
        #expect(Set(bench.data.keys) == kept)
        // A manual removal removes all variants.
        try await bench.manager.remove(requests[0], allVariants: true)
        #expect(bench.data.keys.isEmpty)
    }

    @Test func `a source without validators that sends the same bytes counts as revalidated`() async throws {
        let bench = Bench()
        answer(bench, Self.red, version: nil)
        let request = bench.request([.thumbnailPixelSize(10, 10)])
        let first = try await bench.manager.image(for: request)
        let response = try await bench.manager.response(for: request.with([.refreshCached]))
        #expect(response.source == .revalidated)
        #expect(response.image.isIdentical(to: first))
        #expect(bench.loader.loadCount == 2)
        #expect(bench.coder.decodeCount == 1)
    }

    @Test func `an image that is in no cache is loaded`() async throws {
        let bench = Bench()
        answer(bench, Self.red, version: "1")
        #expect(try await events(of: bench.request([.refreshCached]), in: bench) == ["finished from loader"])
        // Requests that may not use the cache or the source do not revalidate either.
        let loaderOnly = bench.request([.refreshCached, .fromLoaderOnly])
        #expect(try await events(of: loaderOnly, in: bench) == ["finished from loader"])
        #expect(bench.loader.requests.last?.validators == nil)
        let cacheOnly = bench.request([.refreshCached, .fromCacheOnly])
        #expect(try await events(of: cacheOnly, in: bench) == ["finished from memory"])
        #expect(bench.loader.loadCount == 2)
    }

    @Test func `an unreachable source fails the request, and the cached image stays`() async throws {
        struct Refusal: Error {}
        let bench = Bench()
        answer(bench, Self.red, version: "1")
        _ = try await bench.manager.image(for: bench.request())
        bench.loader.answer(Bench.url.absoluteString, with: .failure(Refusal()))
        bench.gate.close()
        let task = bench.manager.load(bench.request([.refreshCached]))
        var events = task.makeAsyncIterator()
        guard case .cached(let response)? = try await events.next() else {
            Issue.record("expected the cached image first")
            return
        }
        #expect(response.source == .memory)
        bench.gate.open()
        #expect(await imageError { try await task.response }?.code == .loadFailed)
        #expect(bench.manager.cachedResponse(for: bench.request()) != nil)
    }

    @Test func `many refreshing requests ask the source once`() async throws {
        let bench = Bench(isOpen: false)
        answer(bench, Self.red, version: "1")
        bench.gate.open()
        _ = try await bench.manager.image(for: bench.request())
        answer(bench, Self.blue, version: "2")
        bench.gate.close()
        let tasks = (1...10).map { size in
            bench.manager.load(bench.request([.refreshCached, .thumbnailPixelSize(size, size)]))
        }
        let pipeline = bench.manager.pipeline
        let resolved = try await bench.manager.resolved(of: bench.request([.thumbnailPixelSize(1, 1)]))
        let key = OriginalKey(resolved, access: .refresh, after: pipeline.changes)
        try await waitUntil("all requests wait for the original") {
            pipeline.originals.waiterCount(for: key) >= tasks.count
        }
        bench.gate.open()
        for task in tasks {
            let response = try await task.response
            #expect(response.source == .loader)
            #expect(response.image.pixels.color(x: 0, y: 0).blue == 1)
        }
        #expect(bench.loader.loadCount == 2)
    }

    @Test func `a copy that does not decode is loaded again, whatever its source says`() async throws {
        let bench = Bench()
        answer(bench, Self.red, version: "1")
        let request = bench.request()
        _ = try await bench.manager.image(for: request)
        bench.memory.clear()
        let key = try await bench.manager.cacheKey(for: request)
        var entry = try #require(try bench.data.entry(for: key))
        entry.data = Data("CALORAW {}\n".utf8)
        try bench.data.store(entry, for: key)
        let response = try await bench.manager.response(for: request.with([.refreshCached]))
        #expect(response.source == .loader)
        #expect(try bench.data.entry(for: key)?.data == Self.red)
    }

    @Test func `a revalidated entry gets a new time to live, and keeps its other fields`() async throws {
        let bench = Bench()
        answer(bench, Self.red, version: "1")
        let data = InMemoryDataCache(time: bench.time)
        let cache = TieredCache(memory: nil, disk: data)
        let request = bench.request([.imageCache(cache), .timeToLive(.seconds(100)), .cacheTags(["album"])])
        _ = try await bench.manager.image(for: request)
        let key = try await bench.manager.cacheKey(for: request)
        let expiration = try #require(try data.entry(for: key)?.expiration)
        bench.time.advance(by: .seconds(60))
        _ = try await bench.manager.image(for: request.with([.refreshCached]))
        await bench.manager.pipeline.pendingStores.wait(for: StoreKey(key, in: cache))
        let entry = try #require(try data.entry(for: key))
        #expect(entry.expiration == expiration + 60)
        #expect(entry.tags == ["album"])
        #expect(entry.attributes["entityTag"] == "\"1\"")
    }

    @Test func `the data of an image in memory is read on request`() async throws {
        let bench = Bench()
        answer(bench, Self.red, version: "1")
        _ = try await bench.manager.image(for: bench.request())
        #expect(try await bench.manager.response(for: bench.request()).data == nil)
        let response = try await bench.manager.response(for: bench.request([.queryMemoryData]))
        #expect(response.source == .memory)
        #expect(response.data == Self.red)
        bench.data.failure = CancellationError()
        #expect(try await bench.manager.response(for: bench.request([.queryMemoryData])).data == nil)
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `the cached image stays if its replacement is not an image`() async throws {
        let bench = Bench()
        answer(bench, Self.red, version: "1")
        let thumbnail = bench.request([.thumbnailPixelSize(10, 10)])
        for request in [bench.request(), thumbnail] { _ = try await bench.manager.image(for: request) }
        answer(bench, Data("CALORAW {}\n".utf8), version: "2")
        let error = await imageError { try await bench.manager.image(for: bench.request([.refreshCached])) }
        #expect(error?.code == .badData)
        bench.memory.clear()
        for request in [bench.request(), thumbnail] {
            #expect(try await bench.manager.response(for: request.with([.fromCacheOnly])).source == .disk)
        }
    }

    @Test(arguments: [true, false])
    func `a revalidated original does not confirm images made from an older one`(hasValidators: Bool) async throws {
        let bench = Bench()
        answer(bench, Self.red, version: hasValidators ? "1" : nil)
        let thumbnail = bench.request([.thumbnailPixelSize(10, 10)])
        _ = try await bench.manager.image(for: thumbnail)
        answer(bench, Self.blue, version: hasValidators ? "2" : nil)
        _ = try await bench.manager.image(for: bench.request([.fromLoaderOnly]))
        for _ in 0..<2 {
            let response = try await bench.manager.response(for: thumbnail.with([.refreshCached]))
            #expect(response.source == .revalidated)
            #expect(response.image.pixels.color(x: 0, y: 0).blue == 1)
        }
        bench.memory.clear()
        #expect(try await bench.manager.image(for: thumbnail).pixels.color(x: 0, y: 0).blue == 1)
    }

    // MARK: Images loaded before a replacement

    @Test(arguments: [CacheTiers.memory, .disk], [[], [.fromLoaderOnly]] as [ImageContext])
    func `an image loaded before a replacement is delivered, but not stored`(
        tier: CacheTiers, context: ImageContext
    ) async throws {
        try await checkThatNothingOlderIsKept(in: tier, of: context, since: [.refreshCached])
    }

    @Test(arguments: [CacheTiers.memory, .disk], [[], [.fromLoaderOnly]] as [ImageContext])
    func `an image loaded before a newer load past the caches is not stored either`(
        tier: CacheTiers, context: ImageContext
    ) async throws {
        try await checkThatNothingOlderIsKept(in: tier, of: context, since: [.fromLoaderOnly])
    }

    private func checkThatNothingOlderIsKept(
        in tier: CacheTiers, of older: ImageContext, since newer: ImageContext
    ) async throws {
        let bench = Bench()
        answer(bench, Self.red, version: "1")
        let gate = BlockingGate()
        let request = bench.request([.transformer(FakeTransformer(gate: gate)), .storeCacheType(tier)])
        let task = bench.manager.load(request.with(older))
        await gate.waitForArrivals(1)
        // When the source changes before the variant of the first picture is finished
        answer(bench, Self.blue, version: "2")
        let refreshed = try await bench.manager.response(for: bench.request(newer))
        #expect(refreshed.source == .loader)
        gate.open()
        // Then only the request for the first picture receives it
        let response = try await task.response
        #expect(response.source == .loader)
        #expect(response.image.pixels.color(x: 0, y: 0).red == 1)
        let key = try await bench.manager.cacheKey(for: request)
        #expect(bench.memory.peek(at: key) == nil)
        #expect(try bench.data.entry(for: key) == nil)
        #expect(try await bench.manager.image(for: request).pixels.color(x: 0, y: 0).blue == 1)
        #expect(try bench.data.entry(for: key.original)?.data == Self.blue)
        #expect(bench.loader.loadCount == 2)
    }

    @Test func `a refresh that started before the replacement of a concurrent one stores nothing`()
        async throws
    {
        let bench = Bench()
        answer(bench, Self.red, version: "1")
        // Given two requests with separate transfers, due to different timeouts, and shared cache entries
        let (request, other) = (bench.request(), bench.request([.decodeTimeout(.seconds(1000))]))
        for request in [request, other] { _ = try await bench.manager.image(for: request) }
        let gate = Gate()
        bench.loader.answer(Bench.url.absoluteString, with: .pieces([(gate: gate, data: Self.blue)]))
        let task = bench.manager.load(request.with([.refreshCached]))
        await gate.waitForArrivals(1)
        // When the one that started later ends first
        let green = Self.file(SIMD4(0, 255, 0, 255))
        answer(bench, green, version: "3")
        #expect(try await bench.manager.response(for: other.with([.refreshCached])).source == .loader)
        gate.open()
        #expect(try await task.response.image.pixels.color(x: 0, y: 0).blue == 1)
        // Then both are made from its picture
        for request in [request, other] {
            #expect(try await bench.manager.image(for: request).pixels.color(x: 0, y: 0).green == 1)
            let key = try await bench.manager.cacheKey(for: request)
            #expect(try bench.data.entry(for: key)?.data == green)
        }
    }

    @Test func `a request that joins a replacing load stores its result`() async throws {
        // Given thumbnails without an original, so that a revalidating request is like any other
        let bench = Bench(context: [.originalStoreCacheType([])])
        answer(bench, Self.red, version: nil)
        func thumbnail(_ size: Int) -> ImageRequest { bench.request([.thumbnailPixelSize(size, size)]) }
        for size in [10, 30] { _ = try await bench.manager.image(for: thumbnail(size)) }
        answer(bench, Self.blue, version: nil)
        bench.gate.close()
        let first = bench.manager.load(thumbnail(10).with([.refreshCached]))
        await bench.gate.waitForArrivals(3)
        let second = bench.manager.load(thumbnail(20))
        let pipeline = bench.manager.pipeline
        let transfer = try await bench.manager.resolved(of: thumbnail(20)).transfer
        try await waitUntil("both requests wait for the transfer") {
            pipeline.transfers.waiterCount(for: TransferKey(transfer: transfer, validators: nil)) >= 2
        }
        bench.gate.open()
        for task in [first, second] {
            #expect(try await task.response.image.pixels.color(x: 0, y: 0).blue == 1)
        }
        for size in [10, 20] {
            let response = try await bench.manager.response(for: thumbnail(size))
            #expect(response.source == .memory)
            #expect(response.image.pixels.color(x: 0, y: 0).blue == 1)
            let key = try await bench.manager.cacheKey(for: thumbnail(size))
            #expect(try bench.data.entry(for: key) != nil)
        }
        #expect(bench.loader.loadCount == 3)
        #expect(try await bench.manager.image(for: thumbnail(30)).pixels.color(x: 0, y: 0).blue == 1)
    }

    @Test func `a load replaces the cached image if a request that joins it refreshes`() async throws {
        let bench = Bench(context: [.originalStoreCacheType([])])
        answer(bench, Self.red, version: nil)
        func thumbnail(_ size: Int) -> ImageRequest { bench.request([.thumbnailPixelSize(size, size)]) }
        for size in [10, 30] { _ = try await bench.manager.image(for: thumbnail(size)) }
        answer(bench, Self.blue, version: nil)
        bench.gate.close()
        let first = bench.manager.load(thumbnail(20))
        await bench.gate.waitForArrivals(3)
        let second = bench.manager.load(thumbnail(10).with([.refreshCached]))
        let pipeline = bench.manager.pipeline
        let transfer = try await bench.manager.resolved(of: thumbnail(20)).transfer
        try await waitUntil("both requests wait for the transfer") {
            pipeline.transfers.waiterCount(for: TransferKey(transfer: transfer, validators: nil)) >= 2
        }
        bench.gate.open()
        for task in [first, second] {
            #expect(try await task.response.image.pixels.color(x: 0, y: 0).blue == 1)
        }
        #expect(bench.loader.loadCount == 3)
        #expect(try await bench.manager.response(for: thumbnail(10)).source == .memory)
        for size in [10, 20, 30] {
            #expect(try await bench.manager.image(for: thumbnail(size)).pixels.color(x: 0, y: 0).blue == 1)
        }
    }

    @Test(arguments: [true, false])
    func `a confirmation of older data replaces no newer data`(isByAnother: Bool) async throws {
        let bench = Bench()
        answer(bench, Self.red, version: "1")
        let data = InMemoryDataCache(time: bench.time)
        let cache = TieredCache(memory: nil, disk: data)
        let request = bench.request([.imageCache(cache), .timeToLive(.seconds(100))])
        _ = try await bench.manager.image(for: request)
        let key = try await bench.manager.cacheKey(for: request)
        bench.time.advance(by: .seconds(60))
        // Given a source that is about to confirm the cached copy
        bench.gate.close()
        let task = bench.manager.load(request.with([.refreshCached]))
        await bench.gate.waitForArrivals(2)
        // When a newer picture is stored before that, by another manager or by this one
        if isByAnother {
            try data.store(CacheEntry(data: Self.blue), for: key)
        } else {
            bench.manager.registry.loaders.add(FakeImageLoader(answer: .bytes(Self.blue)))
            _ = try await bench.manager.image(for: request.with([.fromLoaderOnly]))
        }
        bench.gate.open()
        #expect(try await task.response.source == .revalidated)
        await bench.manager.pipeline.pendingStores.wait(for: StoreKey(key, in: cache))
        #expect(try data.entry(for: key)?.data == Self.blue)
    }

    @Test func `a replacement does not remove an image stored directly meanwhile`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let data = GatedDataCache(onRemoval: { gate.pass() })
        let memory = BoundedMemoryCache(costLimit: 1 << 20, trimsUnderPressure: false)
        let bench = Bench(context: [.imageCache(TieredCache(memory: memory, disk: data))])
        answer(bench, Self.red, version: "1")
        let request = bench.request()
        let key = try await bench.manager.cacheKey(for: request)
        _ = try await bench.manager.image(for: request)
        answer(bench, Self.blue, version: "2")
        let task = bench.manager.load(request.with([.refreshCached]))
        await gate.waitForArrivals(1)
        // When a picture is stored while the replacement removes the old one
        let green = Self.file(SIMD4(0, 255, 0, 255))
        let image = try await bench.manager.decode(green)
        let failure = Lock<(any Error)?>(nil)
        let store = CallWindow().begin { [manager = bench.manager] in
            do {
                try await manager.store(image, data: green, for: request)
            } catch {
                failure.withLock { $0 = error }
            }
        }
        gate.open()
        await store.value
        #expect(failure.withLock { $0 } == nil)
        #expect(try await task.response.image.pixels.color(x: 0, y: 0).blue == 1)
        // Then it remains, since it is newer
        #expect(memory.peek(at: key)?.isIdentical(to: image) == true)
        #expect(try data.kept.entry(for: key)?.data == green)
    }

    @Test(arguments: [[], [.transformer(FakeTransformer())]] as [ImageContext])
    func `an original that has replaced a copy is stored even if its request was cancelled meanwhile`(
        context: ImageContext
    ) async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let data = GatedDataCache(onRemoval: { gate.pass() })
        let bench = Bench(context: [.imageCache(TieredCache(memory: nil, disk: data))])
        answer(bench, Self.red, version: "1")
        let request = bench.request(context)
        let key = try await bench.manager.cacheKey(for: bench.request())
        _ = try await bench.manager.image(for: request)
        answer(bench, Self.blue, version: "2")
        let task = bench.manager.load(request.with([.refreshCached]))
        await gate.waitForArrivals(1)
        // When the request is cancelled while the replacement removes the old copy
        task.cancel()
        let error = await imageError { try await task.response }
        #expect(error?.code == .cancelled)
        try await waitUntil("no work is left") { bench.manager.pipeline.decodes.count == 0 }
        gate.open()
        try await waitUntil("the new original is stored") { try data.kept.entry(for: key)?.data == Self.blue }
    }

    @Test func `a large file without validators is known by its bytes`() async throws {
        let bench = Bench()
        let header = RawImageCoder.Header(width: 400, height: 300)
        answer(bench, RawImageCoder.file(header) { _, _, _ in SIMD4(255, 0, 0, 255) }, version: nil)
        let small = bench.request([.thumbnailPixelSize(10, 10)])
        let first = try await bench.manager.image(for: small)
        #expect(first.attributes.version != nil)
        let response = try await bench.manager.response(for: small.with([.refreshCached]))
        #expect(response.source == .revalidated)
        #expect(bench.coder.decodeCount == 1)
    }

    @Test func `the same bytes with a new entity tag are requested with that tag afterward`() async throws {
        let bench = Bench()
        answer(bench, Self.red, version: "1")
        _ = try await bench.manager.image(for: bench.request())
        answer(bench, Self.red, version: "2")
        let key = try await bench.manager.cacheKey(for: bench.request())
        for _ in 0..<2 {
            let response = try await bench.manager.response(for: bench.request([.refreshCached]))
            #expect(response.source == .revalidated)
            await bench.manager.pipeline.pendingStores.wait(for: StoreKey(key, in: bench.cache))
        }
        #expect(bench.loader.requests.last?.validators?.entityTag == "\"2\"")
        #expect(bench.coder.decodeCount == 1, "equal bytes are not decoded again")
    }

    @Test func `of several alternatives only the first cached one is shown`() async throws {
        let bench = Bench()
        let other = "fake://host/other.raw"
        for url in [Bench.url.absoluteString, other] { _ = try await bench.manager.image(for: url) }
        let failure = ImageError(.notFound, stage: .load, message: "is gone")
        bench.loader.answer(Bench.url.absoluteString, with: .failure(failure))
        let context: ImageContext = [.refreshCached, .alternatives([URL(string: other)!])]
        let seen = try await events(of: bench.request(context), in: bench)
        #expect(seen == ["cached from memory", "finished from revalidated"])
    }

    @Test func `data is returned for a refresh, too`() async throws {
        let bench = Bench()
        answer(bench, Self.red, version: "1")
        _ = try await bench.manager.image(for: bench.request())
        let response = try await bench.manager.response(for: bench.request([.refreshCached, .queryMemoryData]))
        #expect(response.data == Self.red)
    }
}
