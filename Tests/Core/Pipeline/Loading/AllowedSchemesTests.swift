import CalotypeTesting
import Testing

@testable import Calotype

/// The URLs that a request may load if it limits their schemes.
@Suite(.timeLimit(.minutes(5)))
struct AllowedSchemesTests {
    /// A loader of another scheme, with a picture for every URL.
    private let other = FakeImageLoader(scheme: "other", answer: .bytes(RawImageCoder.file(width: 8, height: 6)))
    private let otherURL = URL(string: "other://host/picture.raw")!
    private let strict: ImageContext = [.allowedSchemes(["fake", "https"])]

    private func bench(isOpen: Bool = true, _ context: ImageContext = []) -> Bench {
        let bench = Bench(isOpen: isOpen, context: context)
        bench.manager.registry.loaders.add(other)
        return bench
    }

    @Test(arguments: ["other://host/a.raw", "OTHER://host/a.raw", "data:image/raw,abc", "file:///a.raw", "gopher:a"])
    func `a URL with another scheme is refused before any cache or loader is asked`(_ text: String) async throws {
        let bench = bench(strict)
        let request = ImageRequest(text)
        let error = try #require(await imageError { try await bench.manager.image(for: request) })
        #expect(error.code == .schemeRefused)
        #expect(error.stage == .resolve)
        #expect(error.advice?.contains("allowedSchemes") == true)
        #expect(bench.manager.cachedResponse(for: request) == nil)
        #expect(bench.data.readCount == 0)
        #expect(other.loadCount + bench.loader.loadCount == 0)
    }

    @Test func `a URL with an allowed scheme is loaded`() async throws {
        #expect(try await bench(strict).manager.image(for: Bench.url).width == 40)
        #expect(try await bench([.allowedSchemes(["OTHER"])]).manager.image(for: otherURL).width == 8)
        #expect(try await bench().manager.image(for: otherURL).width == 8)
    }

    @Test func `a cached copy is not returned to a request that may not load it`() async throws {
        let bench = bench()
        _ = try await bench.manager.image(for: otherURL)
        let request = ImageRequest(otherURL, context: strict)
        #expect(bench.manager.cachedResponse(for: request) == nil)
        #expect(await imageError { try await bench.manager.image(for: request) }?.code == .schemeRefused)
    }

    @Test func `a strict request shares neither loads nor copies with a lax one`() async throws {
        let bench = bench()
        _ = try await bench.manager.image(for: Bench.url)
        #expect(try await bench.manager.response(for: bench.request(strict)).source == .loader)
        #expect(bench.loader.loadCount == 2)
        let closed = self.bench(isOpen: false)
        let tasks = [closed.manager.load(Bench.url), closed.manager.load(closed.request(strict))]
        await closed.gate.waitForArrivals(2)
        closed.gate.open()
        for task in tasks { #expect(try await task.response.source == .loader) }
    }

    @Test func `an options processor can restrict the schemes`() async throws {
        struct Limiting: OptionsProcessor {
            func process(_ context: ResolvedContext, for url: URL) throws -> ImageContext { [.allowedSchemes([])] }
        }
        let bench = bench([.optionsProcessor(Limiting())])
        #expect(await imageError { try await bench.manager.image(for: Bench.url) }?.code == .schemeRefused)
        #expect(bench.loader.loadCount == 0)
    }

    @Test func `alternatives are subject to the allowed schemes`() async throws {
        let bench = bench(strict)
        bench.loader.answer(
            Bench.url.absoluteString, with: .failure(ImageError(.notFound, stage: .load, message: "is not there")))
        let request = bench.request([.alternatives([otherURL])])
        let error = await imageError { try await bench.manager.image(for: request) }
        #expect(error?.attempts.map(\.code) == [.notFound, .schemeRefused])
        #expect(other.loadCount == 0)
    }

    @Test func `placeholders are subject to the allowed schemes`() async throws {
        let bench = bench(isOpen: false, strict)
        let task = bench.manager.load(bench.request([.placeholders([.url(otherURL)])]))
        // The failure of a placeholder is an event.
        try await waitUntil("the placeholder is refused") {
            bench.listener.issues.contains { $0.code == .schemeRefused }
        }
        bench.gate.open()
        #expect(try await task.response.image.width == 40)
        #expect(other.loadCount == 0)
    }

    @Test func `the server context allows only web URLs`() async throws {
        #expect(ResolvedContext(.server)[.allowedSchemes] == ["http", "https"])
        let bench = bench(.server)
        for url in ["file:///etc/passwd", "data:,text", "fake://host/picture.raw"] {
            #expect(await imageError { try await bench.manager.image(for: url) }?.code == .schemeRefused, "\(url)")
        }
    }

    // MARK: Text

    @Test func `a list of schemes has one notation`() {
        #expect(URLSchemes(["https", "HTTP", "http", "", "1a", "a b", "a,b"]).contextText == "http,https")
        #expect(URLSchemes(contextText: "https,http") == ["http", "https"])
        #expect(URLSchemes(contextText: "svn+ssh,view-source,a.1") == ["svn+ssh", "view-source", "a.1"])
        #expect(URLSchemes(contextText: "")?.names.isEmpty == true)
        for text in ["off", "https:", "http,", ",", "http https", "%zz", "1http"] {
            #expect(URLSchemes(contextText: text) == nil, "\(text)")
        }
    }
}
