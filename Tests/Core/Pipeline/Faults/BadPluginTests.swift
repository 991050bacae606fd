import CalotypeTesting
import Testing

@testable import Calotype

/// Plugins that throw, return invalid values or never return, and their effect on this request and on others.
@Suite(.timeLimit(.minutes(5)))
struct BadPluginTests {
    /// A plugin.
    enum Part: String, CaseIterable, Sendable {
        case processor, filter, loader, coder, transformer, serializer, read, store
    }

    private struct Refusal: Error {}

    private struct Filter: CacheKeyFilter {
        let body: @Sendable () throws -> String?
        func key(for url: URL, context: ResolvedContext) throws -> String? { try body() }
    }

    private struct Serializer: CacheSerializer {
        let body: @Sendable () throws -> Data?
        func data(for serialization: Serialization) throws -> Data? { try body() }
    }

    /// A loader of a separate scheme.
    private struct Loader: ImageLoader {
        var scheme = "own"
        let body: @Sendable (LoadRequest) async throws -> LoadOutcome
        func canLoad(_ request: LoadRequest) -> Bool { request.url.scheme == scheme }
        @concurrent func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
            try await body(request)
        }
    }

    private struct Listener: EventListener {
        let body: @Sendable () -> Void
        func received(_ event: PipelineEvent) { body() }
    }

    private struct Coder: ImageCoder {
        let formats = [RawImageCoder.format]
        let body: @Sendable () throws -> Void
        func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
            try body()
            return nil
        }
    }

    private let other = ImageRequest("fake://host/other.raw")

    /// At least two threads in each lane that may be blocked.
    private static let concurrency = Concurrency(decodes: 2, transforms: 2)

    // MARK: Endless calls

    /// Returns the context of a request in which a plugin blocks until the gate is opened.
    private func held(_ part: Part, at gate: BlockingGate) -> ImageContext {
        switch part {
        case .processor:
            [
                .optionsProcessor(
                    ContextLayersTests.Processor { _ in
                        gate.pass()
                        return []
                    })
            ]
        case .filter:
            [
                .cacheKeyFilter(
                    Filter {
                        gate.pass()
                        return nil
                    })
            ]
        case .loader:
            [
                .imageLoader(
                    Loader { _ in
                        // It ignores cancellation, too.
                        let held = Task.detached {
                            _ = try? await Lane(name: "held", width: 1).run { gate.pass() }
                        }
                        await held.value
                        return .complete
                    })
            ]
        case .coder: [.imageCoder(RawImageCoder(gate: gate))]
        case .transformer: [.transformer(FakeTransformer(gate: gate))]
        case .serializer:
            [
                .cacheSerializer(
                    Serializer {
                        gate.pass()
                        return nil
                    })
            ]
        case .read: [.imageCache(TieredCache(memory: nil, disk: GatedDataCache(reads: gate)))]
        case .store: [.imageCache(TieredCache(memory: nil, disk: GatedDataCache(stores: gate)))]
        }
    }

    @Test(arguments: Part.allCases)
    func `work that never returns is abandoned when the request times out, and delays no other`(
        _ part: Part
    ) async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let bench = Bench(concurrency: Self.concurrency)
        let task = bench.manager.load(bench.request(held(part, at: gate)).with([.timeout(.seconds(5))]))
        await gate.waitForArrivals(1)
        #expect(!task.isFinished)
        bench.time.advance(by: .seconds(6))
        #expect(task.isFinished)
        let error = await imageError { try await task.response }
        #expect(error?.code == .timedOut)
        #expect(error?.subject == "fake://host/picture.raw")
        #expect(try await bench.manager.image(for: other).width == 40)
    }

    @Test(arguments: Part.allCases)
    func `cancelling abandons work that never returns, and its result is dropped`(
        _ part: Part
    ) async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let bench = Bench(concurrency: Self.concurrency)
        let task = bench.manager.load(bench.request(held(part, at: gate)))
        await gate.waitForArrivals(1)
        task.cancel()
        #expect(task.isFinished)
        gate.open()
        let error = await imageError { try await task.response }
        #expect(error?.code == .cancelled)
        // A new request succeeds, although the old work continues.
        #expect(try await bench.manager.image(for: bench.request()).width == 40)
    }

    // MARK: Errors

    @Test func `a key filter that throws fails the request, and the error names it`() async {
        let bench = Bench(context: [.cacheKeyFilter(Filter { throw Refusal() })])
        let error = await imageError { try await bench.manager.image(for: bench.request()) }
        #expect(error?.code == .processorFailed)
        #expect(error?.component == "Filter")
        #expect(error?.cause is Refusal)
        #expect(error?.subject == "fake://host/picture.raw")
        #expect(bench.loader.loadCount == 0)
    }

    /// Plugins that throw `CancellationError`, and the resulting error codes.
    private static let quitters: [(ImageContext, ImageError.Code)] = [
        ([.optionsProcessor(ContextLayersTests.Processor { _ in throw CancellationError() })], .processorFailed),
        ([.cacheKeyFilter(Filter { throw CancellationError() })], .processorFailed),
        ([.imageCoder(Coder { throw CancellationError() })], .badData),
        ([.transformer(FakeTransformer { _ in throw CancellationError() })], .transformFailed),
    ]

    @Test(arguments: quitters)
    func `a plugin's own cancellation is a failure of the request, not a cancellation`(
        _ context: ImageContext, code: ImageError.Code
    ) async {
        let bench = Bench()
        let error = await imageError { try await bench.manager.image(for: bench.request(context)) }
        #expect(error?.code == code)
        #expect(error?.message.contains("a component cancelled the work") == true)
    }

    @Test(arguments: quitters.prefix(2).map(\.0))
    func `a plugin's own cancellation is a failure of calls that only resolve a request`(
        _ context: ImageContext
    ) async {
        let bench = Bench()
        let error = await imageError { try await bench.manager.cacheKey(for: bench.request(context)) }
        #expect(error?.code == .processorFailed)
    }

    @Test func `a cache that always fails does not fail a request, but does fail a direct call`() async throws {
        let cache = ScriptedImageCache()
        cache.fail(ScriptedImageCache.Call.allCases, with: Refusal())
        let bench = Bench(context: [.imageCache(cache), .originalImageCache(cache), .queryCacheType(.disk)])
        for context: ImageContext in [[], [.thumbnailPixelSize(4, 4)], [.transformer(FakeTransformer())]] {
            let response = try await bench.manager.response(for: bench.request(context))
            #expect(response.source == .loader)
        }
        #expect(cache.entries.isEmpty)
        await bench.manager.waitForEvents()
        #expect(!bench.listener.issues.isEmpty)
        #expect(bench.listener.issues.allSatisfy { $0.code == .cacheFailed && $0.cause is Refusal })

        let (manager, request) = (bench.manager, bench.request())
        let image = try await manager.image(for: request)
        let errors = [
            await imageError { try await manager.contains(request) },
            await imageError { try await manager.store(image, for: request, in: .disk) },
            await imageError { try await manager.remove(request) },
            await imageError { try await manager.remove(request, allVariants: true) },
            await imageError { try await manager.removeAll(tagged: "album") },
            await imageError { try await manager.clearCaches() },
        ]
        #expect(errors.allSatisfy { $0?.code == .cacheFailed && $0?.cause is Refusal })
        let missing = await imageError { try await manager.image(for: request.with([.fromCacheOnly])) }
        #expect(missing?.code == .notCached)
    }

    // MARK: Invalid values

    @Test(arguments: ["", "\0", "../../../etc/passwd", "a|b;c=d%", String(repeating: "long", count: 10_000)])
    func `any text from a key filter is a valid key`(_ text: String) async throws {
        let directory = TemporaryDirectory()
        let cache = TieredCache(memory: nil, disk: DiskCache(at: directory.url))
        let bench = Bench(context: [.imageCache(cache), .cacheKeyFilter(Filter { text })])
        for source in [ImageResponse.Source.loader, .disk] {
            let response = try await bench.manager.response(for: bench.request([.thumbnailPixelSize(4, 4)]))
            #expect(response.source == source)
            #expect(response.image.size == PixelSize(4, 3))
        }
        #expect(try await bench.manager.cacheKey(for: bench.request()).source == SourceKey(text))
    }

    /// The values of a processor, and the results: a size, or the code of an error.
    private static let nonsense: [(ImageContext, String)] = [
        ([.set(ContextKey.thumbnailPixelSize, to: PixelSize(-3, -5))], "40x30"),
        ([.set(ContextKey.thumbnailPixelSize, to: PixelSize(-3, 15))], "20x15"),
        ([.set(ContextKey.previewGrowth, to: -1), .progressiveLoad], "40x30"),
        ([.scaleDownLimitBytes(-1)], "40x30"), ([.maxPixels(-1)], "limitExceeded"),
        ([.frame(.min)], "noSuchFrame"), ([.off(.imageCache)], "40x30"),
        ([.optionsProcessor(ContextLayersTests.Processor { _ in throw Refusal() })], "40x30"),
    ]

    @Test(arguments: nonsense)
    func `any context from a processor is an error or harmless`(_ changes: ImageContext, outcome: String) async {
        let bench = Bench(context: [.optionsProcessor(ContextLayersTests.Processor { _ in changes })])
        let seen: String
        do {
            seen = try await bench.manager.image(for: bench.request()).size.description
        } catch {
            seen = error.code.rawValue
        }
        #expect(seen == outcome)
    }

    @Test(arguments: ["nonsense", "", "CALORAW {}\n"])
    func `a serialized entry that no coder can read is loaded again`(_ text: String) async throws {
        let bench = Bench(context: [.cacheSerializer(Serializer { Data(text.utf8) })])
        for context: ImageContext in [[], [.thumbnailPixelSize(4, 4)]] {
            for _ in 0..<2 {
                bench.memory.clear()
                let response = try await bench.manager.response(for: bench.request(context))
                #expect(response.source == .loader)
                #expect(response.image.width == (context.isEmpty ? 40 : 4))
            }
        }
    }

    @Test func `a damaged entry is loaded again even if the cache fails to remove it`() async throws {
        let damaged = CacheEntry(data: Data("CALORAW {}\n".utf8))
        let bench = Bench()
        let key = try await bench.manager.cacheKey(for: bench.request())
        let cache = ScriptedImageCache(damaged, for: key)
        cache.fail([.store, .remove], with: Refusal())
        for _ in 0..<2 {
            let request = bench.request([.imageCache(cache), .queryCacheType(.disk)])
            let response = try await bench.manager.response(for: request)
            #expect(response.source == .loader)
            #expect(response.image.width == 40)
        }
    }

    @Test func `a transformer without a key does not make an original`() async throws {
        let bench = Bench()
        let request = bench.request([.transformer(FakeTransformer(key: "") { $0.replacing(pixels: $0.pixels) })])
        _ = try await bench.manager.image(for: request)
        #expect(try await !bench.manager.cacheKey(for: request).isOriginal)
        #expect(bench.manager.cachedResponse(for: bench.request()) == nil)
        #expect(bench.data.keys.count == 2)
    }

    // MARK: Reentrancy

    @Test func `a listener may load, cancel and change settings through its manager`() async throws {
        let bench = Bench()
        let (manager, second) = (bench.manager, other)
        let count = Lock(0)
        // The loader retains the request, and so its listener.
        let listener = Listener { [weak manager] in
            guard let manager else { return }
            let number = count.withLock { count -> Int in
                count += 1
                return count
            }
            // Its own loads are reported to the manager's listener, and not to this one.
            guard number <= 10 else { return }
            _ = manager.cachedResponse(for: second)
            manager.load(second).cancel()
            manager.context.set(.compressionQuality(0.5))
            manager.registry.coders.add(RawImageCoder())
        }
        #expect(try await manager.image(for: bench.request([.eventListener(listener)])).width == 40)
        await manager.waitForEvents()
        #expect(count.withLock { $0 } > 0)
    }

    @Test func `nested loads of the same manager get the slots of the waiting ones`() async throws {
        let bench = Bench(isOpen: false, concurrency: Concurrency(loads: 2))
        let manager = bench.manager
        let relay = Loader { request in
            .image(try await manager.image(for: "fake://host/\(request.url.lastPathComponent)"))
        }
        let token = manager.registry.loaders.add(relay)
        // The loader and the manager retain each other.
        defer { manager.registry.loaders.remove(token) }
        let tasks = (0..<200).map { manager.load("own://host/\($0).raw") }
        // Two nested loads are in progress. All others wait for a slot, either for themselves or for their nested load.
        try await waitUntil("two requests are loaded, and all others wait") {
            bench.loader.activeCount >= 2 && manager.waitingLoadCount >= 198
        }
        #expect(bench.loader.activeCount == 2)
        bench.gate.open()
        for task in tasks { #expect(try await task.response.image.width == 40) }
        #expect(bench.loader.loadCount == 200)
    }

    @Test func `a loader may ask another manager for the same URL`() async throws {
        let inner = Bench()
        let outer = ImageManager(context: [.off(.imageCache)])
        let relay = Loader(scheme: "fake") { request in
            .image(try await inner.manager.image(for: ImageRequest(request.url, context: [.off(.imageCache)])))
        }
        outer.registry.loaders.add(relay)
        #expect(try await outer.image(for: "fake://host/a.raw").width == 40)
    }

    @Test func `loads that wait for each other fail`() async throws {
        let bench = Bench()
        let manager = bench.manager
        let circle = Loader { request in
            .image(try await manager.image(for: request.url.path() == "/a" ? "own://host/b" : "own://host/a"))
        }
        let token = manager.registry.loaders.add(circle)
        defer { manager.registry.loaders.remove(token) }
        let error = await imageError { try await manager.image(for: "own://host/a") }
        #expect(error?.code == .loadFailed)
        #expect(manager.isIdle)
    }

    @Test func `a cancellation error of a loader is a failure, and alternatives are tried`() async throws {
        let bench = Bench()
        let relayed = ImageError(.cancelled, stage: .load, message: "cancelled")
        bench.loader.answer(Bench.url.absoluteString, with: .failure(relayed))
        let error = await imageError { try await bench.manager.image(for: bench.request()) }
        #expect(error?.code == .loadFailed)
        let request = bench.request([.alternatives([URL(string: "fake://host/other.raw")!])])
        #expect(try await bench.manager.image(for: request).width == 40)
    }

    @Test func `a loader that requests what it is loading fails`() async throws {
        let bench = Bench()
        let manager = bench.manager
        let circle = Loader { request in
            .image(try await manager.image(for: ImageRequest(request.url, context: [.thumbnailPixelSize(4, 4)])))
        }
        let token = manager.registry.loaders.add(circle)
        defer { manager.registry.loaders.remove(token) }
        let error = await imageError { try await manager.image(for: "own://host/a.raw") }
        #expect(error?.code == .loadFailed)
        #expect(error?.message.contains("or the URL that it is loading") == true)
        // A cache query is allowed.
        let looking = Loader(scheme: "looking") { request in
            let known = try? await manager.image(for: ImageRequest(request.url, context: [.fromCacheOnly]))
            #expect(known == nil)
            return .image(try await manager.image(for: "fake://host/a.raw"))
        }
        let second = manager.registry.loaders.add(looking)
        defer { manager.registry.loaders.remove(second) }
        #expect(try await manager.image(for: "looking://host/a.raw").width == 40)
    }

    // MARK: URLs

    @Test(arguments: ["fake:", "fake://", "fake:///", "fake://host", "fake:a:b:c", "fake://host/%00%2F..%2F?#"])
    func `an unusual URL is loaded and cached like any other`(_ text: String) async throws {
        let directory = TemporaryDirectory()
        let bench = Bench(context: [.imageCache(TieredCache(memory: nil, disk: DiskCache(at: directory.url)))])
        for source in [ImageResponse.Source.loader, .disk] {
            #expect(try await bench.manager.response(for: text).source == source)
        }
    }

    @Test func `the error of an address without a loader names all loaders, the newest first`() async throws {
        let bench = Bench()
        bench.manager.registry.loaders.add(Loader { _ in .complete })
        let unknown = await imageError { try await bench.manager.image(for: "gopher://host/a.raw") }
        #expect(unknown?.code == .noLoader)
        #expect(
            unknown?.message
                == "no loader supports the scheme 'gopher'; asked: Loader does not support it, "
                + "FakeImageLoader does not support it")
        let bare = ImageRequest(try #require(URL(string: "directory/picture.raw")))
        let without = await imageError { try await bench.manager.image(for: bare) }
        #expect(without?.code == .noLoader)
        #expect(without?.message.hasPrefix("no loader supports a URL without a scheme") == true)
    }

    @Test func `a loader is selected by the whole request, not only by its URL`() async throws {
        struct Urgent: ImageLoader {
            func canLoad(_ request: LoadRequest) -> Bool { request.context[.priority] == .veryHigh }
            @concurrent func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
                try await sink.write(RawImageCoder.file(width: 7, height: 7))
                return .complete
            }
        }
        let bench = Bench(context: [.off(.imageCache)])
        bench.manager.registry.loaders.add(Urgent())
        #expect(try await bench.manager.image(for: bench.request()).width == 40)
        #expect(try await bench.manager.image(for: bench.request([.priority(.veryHigh)])).width == 7)
    }
}
