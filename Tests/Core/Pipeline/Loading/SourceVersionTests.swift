import CalotypeTesting
import Testing

@testable import Calotype

/// Loaders that report the version of their files.
@Suite(.timeLimit(.minutes(5)))
struct SourceVersionTests {
    /// A loader with a configurable version, which forwards to another loader.
    private final class VersionedLoader: ImageLoader {
        struct State {
            var version = "1"
            /// Whether it reports the version only if it may wait.
            var needsTime = false
            var askedCount = 0
        }

        let state = Lock(State())
        let base: FakeImageLoader

        init(_ base: FakeImageLoader) { self.base = base }

        var askedCount: Int { state.withLock { $0.askedCount } }

        func canLoad(_ request: LoadRequest) -> Bool { true }

        func version(of request: LoadRequest, mayWait: Bool) -> SourceVersion {
            state.withLock { state in
                state.askedCount += 1
                return state.needsTime && !mayWait ? .unknown : .known(state.version)
            }
        }

        @concurrent func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
            try await base.load(request, into: sink)
        }
    }

    private func scene(isOpen: Bool = true, _ context: ImageContext = []) -> (Bench, VersionedLoader) {
        let bench = Bench(isOpen: isOpen, context: context)
        let loader = VersionedLoader(bench.loader)
        bench.manager.registry.loaders.add(loader)
        return (bench, loader)
    }

    @Test func `a version is part of cache keys and transfers, but not of the source`() async throws {
        let (bench, loader) = scene()
        let first = try await bench.manager.resolved(of: bench.request())
        loader.state.withLock { $0.version = "2" }
        let second = try await bench.manager.resolved(of: bench.request())
        #expect(first.variant.source == second.variant.source)
        #expect(first.variant != second.variant)
        #expect(first.variant.variant == second.variant.variant)
        #expect(first.transfer != second.transfer)
        // The first eight bytes of the text's SHA-256, computed with sha256sum.
        #expect(first.variant.policy == "version=6b86b273ff34fce1")
        #expect(second.variant.policy == "version=d4735e3a265e16ee")
    }

    @Test func `a version joins the other parts of a policy`() async throws {
        let (bench, _) = scene(isOpen: true, [.maxInputBytes(5000)])
        let request = ImageRequest("fake://ann:word@host/picture.raw")
        let policy = try await bench.manager.cacheKey(for: request).policy
        #expect(policy.split(separator: ";").map { $0.prefix { $0 != "=" } } == ["maxInputBytes", "user", "version"])
    }

    @Test func `a reused request gets the current version`() async throws {
        let (bench, loader) = scene()
        let request = bench.request()
        for (version, count) in [("1", 1), ("1", 1), ("2", 2), ("1", 2)] {
            loader.state.withLock { $0.version = version }
            #expect(try await bench.manager.image(for: request).width == 40)
            #expect(bench.loader.loadCount == count)
            #expect(bench.manager.cachedResponse(for: request) != nil)
        }
        loader.state.withLock { $0.version = "3" }
        #expect(bench.manager.cachedResponse(for: request) == nil)
    }

    @Test func `with slow versions memory still answers, and no caller waits`() async throws {
        let (bench, loader) = scene()
        loader.state.withLock { $0.needsTime = true }
        let request = bench.request()
        #expect(try await bench.manager.response(for: request).source == .loader)
        #expect(bench.manager.cachedResponse(for: request) == nil)
        #expect(try await bench.manager.response(for: request).source == .memory)
        loader.state.withLock { $0.version = "2" }
        #expect(try await bench.manager.response(for: request).source == .loader)
    }

    @Test func `a load of one version serves no request for another`() async throws {
        let (bench, loader) = scene(isOpen: false)
        let first = bench.manager.load(bench.request())
        await bench.gate.waitForArrivals(1)
        loader.state.withLock { $0.version = "2" }
        let second = bench.manager.load(bench.request())
        await bench.gate.waitForArrivals(2)
        bench.gate.open()
        #expect(try await first.response.source == .loader)
        #expect(try await second.response.source == .loader)
    }

    @Test func `an edit is noticed also with an options processor`() async throws {
        struct Silent: OptionsProcessor {
            func process(_ context: ResolvedContext, for url: URL) throws -> ImageContext { [] }
        }
        let (bench, loader) = scene(isOpen: true, [.optionsProcessor(Silent())])
        let request = bench.request()
        for (version, source) in [("1", ImageResponse.Source.loader), ("1", .memory), ("2", .loader)] {
            loader.state.withLock { $0.version = version }
            #expect(try await bench.manager.response(for: request).source == source)
        }
    }

    @Test(arguments: ["https://host/a.raw", "http://host/a.raw", "HTTPS://HOST/a.raw", "data:image/raw,abc"])
    func `no loader is asked for the version of a URL of the web`(_ text: String) async throws {
        let (bench, loader) = scene()
        let key = try await bench.manager.cacheKey(for: ImageRequest(text))
        #expect(key.policy.isEmpty)
        #expect(bench.manager.cachedResponse(for: ImageRequest(text)) == nil)
        #expect(loader.askedCount == 0)
    }

    @Test(arguments: [true, false])
    func `data at hand is stored only in memory, its variants also on disk`(
        isAtHand: Bool
    ) async throws {
        let file = RawImageCoder.file(width: 40, height: 30)
        for (context, variantCount) in [([], 0), ([.thumbnailPixelSize(8, 6)], 1)] as [(ImageContext, Int)] {
            let bench = Bench()
            bench.loader.answer(Bench.url.absoluteString, with: .version(file, LoadHead(isAtHand: isAtHand)))
            _ = try await bench.manager.image(for: bench.request(context))
            let originalCount = bench.data.keys.filter(\.isOriginal).count
            #expect(originalCount == (isAtHand ? 0 : 1))
            #expect(bench.data.keys.count - originalCount == variantCount)
            #expect(bench.memory.count == 1)
        }
    }
}
