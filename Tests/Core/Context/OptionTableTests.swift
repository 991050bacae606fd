import CalotypeTesting
import Testing

@testable import Calotype

/// Options of requests that no other test covers: rows of `Tests/PARITY.md`.
@Suite(.timeLimit(.minutes(5)))
struct OptionTableTests {
    private let bench = Bench()

    // MARK: Options

    @Test func `the later of two settings for a key applies`() async throws {
        for (context, priority) in [
            ([.priority(.low), .priority(.high)], .high), ([.priority(.high), .priority(.low)], .low),
        ] as [(ImageContext, Priority)] {
            #expect(bench.manager.load(bench.request(context)).priority == priority)
        }
    }

    @Test func `partial images are not stored`() async throws {
        struct Break: Error {}
        let rest = Gate()
        let file = RawImageCoder.file(width: 40, height: 30)
        let half = file.count / 2
        bench.loader.answer(
            Bench.url.absoluteString,
            with: .pieces([
                (gate: Gate(isOpen: true), data: Data(file.prefix(half))),
                (gate: rest, data: Data(file.dropFirst(half))),
            ]))
        let task = bench.manager.load(bench.request([.progressiveLoad, .originalStoreCacheType(.all)]))
        for try await event in task {
            guard case .preview = event else { continue }
            #expect(bench.memory.count == 0)
            #expect(bench.data.stores.isEmpty)
            rest.open()
        }
        #expect(bench.data.stores.count == 1)
        // An incomplete picture is not cached either.
        let broken = "fake://host/broken.raw"
        bench.loader.answer(broken, with: .failure(Break(), after: Data(file.prefix(half))))
        let request = ImageRequest(broken, context: [.progressiveLoad, .originalStoreCacheType(.all)])
        let error = await imageError { try await bench.manager.image(for: request) }
        #expect(error?.code == .loadFailed)
        #expect(try await bench.manager.contains(request) == [])
        #expect(bench.data.stores.count == 1)
    }

    @Test func `without loading, a variant is made from the cached original`() async throws {
        _ = try await bench.manager.image(for: bench.request([.storeCacheType(.disk)]))
        let step = FakeTransformer()
        for context: ImageContext in [[.thumbnailPixelSize(4, 4)], [.transformer(step)]] {
            let response = try await bench.manager.response(for: bench.request(context).with([.fromCacheOnly]))
            #expect(response.source == .disk)
        }
        #expect(step.callCount == 1)
        #expect(bench.loader.loadCount == 1)
    }

    @Test(arguments: [[], [.thumbnailPixelSize(4, 4)]] as [ImageContext])
    func `fromLoaderOnly loads without reading a cache, and the image is stored`(_ context: ImageContext)
        async throws
    {
        let request = bench.request(context)
        _ = try await bench.manager.image(for: request)
        let (reads, lookUps) = (bench.data.readCount, bench.memory.statistics.hits)
        bench.loader.answer(
            Bench.url.absoluteString, with: .bytes(RawImageCoder.file(width: 8, height: 4)))
        let size = context.isEmpty ? PixelSize(8, 4) : PixelSize(4, 2)
        let response = try await bench.manager.response(for: request.with([.fromLoaderOnly]))
        #expect(response.source == .loader)
        #expect(response.image.size == size)
        #expect(bench.data.readCount == reads)
        #expect(bench.memory.statistics.hits == lookUps)
        #expect(bench.manager.cachedResponse(for: request)?.image.size == size)
        bench.memory.clear()
        #expect(try await bench.manager.image(for: request).size == size)
        #expect(bench.loader.loadCount == 2)
    }

    @Test func `a load past the caches leaves no older variant, even if the new picture needs none`()
        async throws
    {
        let request = bench.request([.thumbnailPixelSize(10, 10)])
        _ = try await bench.manager.image(for: request)
        // Given that the source now has a picture which is no larger than the thumbnail
        bench.loader.answer(
            Bench.url.absoluteString, with: .bytes(RawImageCoder.file(width: 8, height: 4)))
        #expect(try await bench.manager.image(for: request.with([.fromLoaderOnly])).size == PixelSize(8, 4))
        bench.memory.clear()
        #expect(try await bench.manager.image(for: request).size == PixelSize(8, 4))
    }

    @Test func `a byte limit of the manager applies to all requests, and a request can lift it`() async throws {
        let bench = Bench(context: [.scaleDownLimitBytes(1200)])
        #expect(try await bench.manager.image(for: bench.request()).size == PixelSize(20, 15))
        #expect(try await bench.manager.image(for: bench.request([.off(.scaleDownLimitBytes)])).width == 40)
        #expect(bench.loader.loadCount == 1)
    }

    // MARK: Context keys

    /// A loader that accepts no URL unless it is set.
    private struct OwnLoader: ImageLoader {
        let pixels: PixelBuffer
        func canLoad(_ request: LoadRequest) -> Bool { false }
        @concurrent func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
            .image(Image(pixels: pixels))
        }
    }

    @Test func `a request's own loader replaces the installed ones, and shares no load with them`()
        async throws
    {
        let bench = Bench(isOpen: false, context: [.off(.imageCache)])
        let plain = bench.manager.load(bench.request())
        await bench.gate.waitForArrivals(1)
        let own = OwnLoader(pixels: try PixelBuffer.noise(PixelSize(7, 7), seed: 1))
        #expect(try await bench.manager.image(for: bench.request([.imageLoader(own)])).width == 7)
        bench.gate.open()
        #expect(try await plain.response.image.width == 40)
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `a request can remove or replace the manager's transformers`() async throws {
        let (usual, other) = (FakeTransformer(key: "usual"), FakeTransformer(key: "other"))
        let bench = Bench(context: [.transformer(usual)])
        #expect(try await bench.manager.response(for: bench.request()).data == nil, "the result is not the loaded data")
        #expect(usual.callCount == 1)
        bench.memory.clear()
        let plain = try await bench.manager.response(for: bench.request([.off(.transformers)]))
        #expect(plain.data == RawImageCoder.file(width: 40, height: 30))
        _ = try await bench.manager.image(for: bench.request([.transformer(other)]))
        #expect(usual.callCount == 1)
        #expect(other.callCount == 1)
    }

    @Test func `a task and its response name their request`() async throws {
        let request = bench.request([.thumbnailPixelSize(4, 4)])
        for _ in 0..<2 {
            let task = bench.manager.load(request)
            let response = try await task.response
            for named in [task.request, response.request] {
                #expect(named.url == Bench.url)
                #expect(named.context[.thumbnailPixelSize] == PixelSize(4, 4))
            }
        }
    }

    // MARK: Cache keys

    @Test func `the reported cache key is the one in use, also with a processor`() async throws {
        let bench = Bench(context: [
            .optionsProcessor(ContextLayersTests.Processor { _ in [.thumbnailPixelSize(4, 4)] })
        ])
        let key = try await bench.manager.cacheKey(for: bench.request())
        #expect(key.variant == "thumbnailPixelSize=4x4")
        _ = try await bench.manager.image(for: bench.request())
        #expect(bench.data.keys == [key, key.original])
    }

    @Test func `an empty list of transformers makes no variant`() async throws {
        #expect(try await bench.manager.cacheKey(for: bench.request([.transformers([])])).isOriginal)
    }

    @Test func `transformers in another order or with confusable keys make different variants`() async throws {
        func key(_ names: String...) async throws -> VariantKey {
            let steps = names.map { FakeTransformer(key: $0) }
            return try await bench.manager.cacheKey(for: bench.request([.transformers(steps)]))
        }
        let keys = [
            try await key("a"), try await key("a", "b"), try await key("b", "a"), try await key("a|b"),
            try await key("a%7Cb"), try await key("a", "a"), try await key("a;b=c"),
        ]
        #expect(Set(keys).count == keys.count)
        #expect(keys[1].variant == "|a|b")
        let small = try await bench.manager.cacheKey(
            for: bench.request([.transformer(.resize(width: 2, height: 2)), .thumbnailPixelSize(4, 4)]))
        #expect(
            small.variant == "thumbnailPixelSize=4x4|resize(2x2,fit)",
            "the thumbnail precedes the transformer in the key")
    }

    // MARK: Lists

    @Test func `the coder added last for a format writes it`() async throws {
        let coders = (0..<3).map { _ in RecordingCoder([RecordingCoder.lossy]) }
        for coder in coders { bench.manager.registry.coders.add(coder) }
        bench.manager.registry.coders.add(RecordingCoder([RecordingCoder.lossless]))
        let image = Image(pixels: try PixelBuffer.noise(PixelSize(4, 3), seed: 1))
        _ = try await bench.manager.encode(image, as: RecordingCoder.lossy)
        #expect(coders.map(\.calls.count) == [0, 0, 1])
    }

    @Test func `registries can change while they are in use`() async throws {
        let (manager, lists) = (bench.manager, bench.manager.registry)
        try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    let tokens = (lists.loaders.add(FakeImageLoader(scheme: "none")), lists.coders.add(RawImageCoder()))
                    let image = try await manager.image(for: "fake://host/\(number).raw")
                    #expect(image.width == 40)
                    #expect(lists.loaders.remove(tokens.0) && lists.coders.remove(tokens.1))
                }
            }
            try await group.waitForAll()
        }
        #expect(lists.loaders.elements.count == 1)
        #expect(lists.coders.elements.count == 1)
    }
}
