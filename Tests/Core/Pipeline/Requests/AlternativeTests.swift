import CalotypeTesting
import Testing

@testable import Calotype

/// Requests with alternative URLs, in case their own has no image.
@Suite(.timeLimit(.minutes(5)))
struct AlternativeTests {
    private static let first = url("first")
    private static let second = url("second")
    private static let third = url("third")

    private struct Refusal: Error {}

    private static func url(_ name: String) -> URL { URL(string: "fake://host/\(name).raw")! }

    /// Returns a bench in which these URLs have no image, and all others have one of 40 by 30.
    private func bench(
        without urls: [URL], isOpen: Bool = true, failingAs code: ImageError.Code = .notFound,
        context: ImageContext = []
    ) -> Bench {
        let bench = Bench(isOpen: isOpen, context: context)
        for url in urls {
            let error = ImageError(
                code, stage: .load, message: "there is no \(url.lastPathComponent)", advice: "check the URL")
            bench.loader.answer(url.absoluteString, with: .failure(error))
        }
        return bench
    }

    private func request(_ alternatives: [URL], _ context: ImageContext = []) -> ImageRequest {
        ImageRequest(Self.first, context: context.merging([.alternatives(alternatives)]))
    }

    private func asked(_ bench: Bench) -> [String] { bench.loader.requests.map { $0.url.lastPathComponent } }

    @Test func `the next URL is tried if one has no image, and no more than necessary`() async throws {
        let bench = bench(without: [Self.first])
        let request = request([Self.second, Self.third])
        let response = try await bench.manager.response(for: request)
        #expect(response.image.width == 40)
        #expect(response.source == .loader)
        #expect(response.request.url == Self.first)
        #expect(asked(bench) == ["first.raw", "second.raw"])
        let untouched = try await bench.manager.response(
            for: ImageRequest(Self.third, context: [.alternatives([Self.second])]))
        #expect(untouched.request.url == Self.third)
        #expect(asked(bench) == ["first.raw", "second.raw", "third.raw"])
    }

    @Test func `an image of an alternative is stored under its own key`() async throws {
        let bench = bench(without: [Self.first])
        let context: ImageContext = [.thumbnailPixelSize(8, 8)]
        _ = try await bench.manager.image(for: request([Self.second], context))
        let own = try await bench.manager.cacheKey(for: ImageRequest(Self.first, context: context))
        let other = try await bench.manager.cacheKey(for: ImageRequest(Self.second, context: context))
        #expect(bench.data.keys == [other, other.original])
        #expect(!bench.data.keys.contains { $0.source == own.source })
        let later = bench.manager.cachedResponse(for: ImageRequest(Self.second, context: context))
        #expect(later?.image.size == PixelSize(8, 6))
        #expect(bench.manager.cachedResponse(for: ImageRequest(Self.first, context: context)) == nil)
    }

    @Test func `a cached alternative is not loaded`() async throws {
        let bench = bench(without: [Self.first])
        _ = try await bench.manager.image(for: Self.second)
        #expect(try await bench.manager.response(for: request([Self.second])).source == .memory)
        bench.memory.clear()
        #expect(try await bench.manager.response(for: request([Self.second])).source == .disk)
        #expect(asked(bench) == ["second.raw", "first.raw", "first.raw"])
    }

    @Test func `an image that does not decode leads to the next alternative`() async throws {
        let bench = bench(without: [])
        bench.loader.answer(Self.first.absoluteString, with: .bytes(Data("CALORAW {}\n".utf8)))
        #expect(try await bench.manager.image(for: request([Self.second])).width == 40)
    }

    @Test func `if all fail, the error lists each failure`() async throws {
        let secret = try #require(URL(string: "fake://ann:password@host/secret.raw"))
        let bench = bench(without: [Self.first, secret])
        let denied = ImageError(.accessDenied, stage: .load, message: "is not for you", cause: Refusal())
        bench.loader.answer(Self.third.absoluteString, with: .failure(denied))
        let error = await imageError { try await bench.manager.image(for: request([secret, Self.third])) }
        #expect(error?.code == .notFound)
        #expect(error?.subject == "fake://host/first.raw")
        #expect(error?.attempts.map(\.code) == [.notFound, .notFound, .accessDenied])
        #expect(
            error?.attempts.map(\.subject) == [
                "fake://host/first.raw", "fake://host/secret.raw", "fake://host/third.raw",
            ])
        #expect(
            error?.description
                == "fake://host/first.raw: there is no first.raw; its alternatives failed too: "
                + "fake://host/secret.raw: there is no secret.raw; "
                + "fake://host/third.raw: is not for you (Refusal()); check the URL")
        await bench.manager.waitForEvents()
        #expect(bench.listener.issues.count == 2, "one for each failure followed by an alternative")
    }

    @Test func `the same URL is tried once, whatever its spelling`() async {
        let bench = bench(without: [Self.first, Self.second])
        let spellings = ["FAKE://HOST/first.raw", "fake://host/second.raw", "fake://host/a/../second.raw#part"]
        let urls = spellings.compactMap { URL(string: $0) }
        let error = await imageError { try await bench.manager.image(for: request(urls)) }
        #expect(error?.attempts.count == 2)
        #expect(asked(bench) == ["first.raw", "second.raw"])
    }

    @Test func `an error without alternatives is unchanged`() async {
        let bench = bench(without: [Self.first])
        let error = await imageError { try await bench.manager.image(for: request([Self.first])) }
        #expect(error?.attempts.isEmpty == true)
        #expect(error?.description == "fake://host/first.raw: there is no first.raw; check the URL")
        #expect(asked(bench) == ["first.raw"])
    }

    @Test func `a load is retried before the next alternative`() async throws {
        let policy = RetryPolicy(count: 1, firstDelay: .zero)
        let bench = bench(
            without: [Self.first], failingAs: .connectionFailed, context: [.retryPolicy(policy)])
        _ = try await bench.manager.image(for: request([Self.second]))
        #expect(asked(bench) == ["first.raw", "first.raw", "second.raw"])
    }

    @Test func `a cancelled request asks no alternative`() async throws {
        let bench = bench(without: [Self.first], isOpen: false)
        let task = bench.manager.load(request([Self.second]))
        await bench.gate.waitForArrivals(1)
        task.cancel()
        #expect(await imageError { try await task.response }?.code == .cancelled)
        try await waitUntil("the manager is idle") { bench.manager.isIdle }
        bench.gate.open()
        _ = try await bench.manager.image(for: Self.third)
        #expect(asked(bench) == ["first.raw", "third.raw"])
    }

    @Test func `the timeout covers all URLs of a request together`() async {
        let bench = bench(without: [Self.first])
        let held = Gate()
        bench.loader.answer(Self.second.absoluteString, with: .pieces([(held, Data("CALORAW ".utf8))]))
        let task = bench.manager.load(request([Self.second], [.timeout(.seconds(5))]))
        await held.waitForArrivals(1)
        bench.time.advance(by: .seconds(5))
        let error = await imageError { try await task.response }
        #expect(error?.code == .timedOut)
        #expect(error?.attempts.isEmpty == true)
    }

    @Test func `with fromCacheOnly the alternatives are looked up in caches`() async throws {
        let bench = bench(without: [])
        _ = try await bench.manager.image(for: Self.second)
        bench.memory.clear()
        let request = request([Self.third, Self.second], [.fromCacheOnly])
        #expect(try await bench.manager.response(for: request).source == .disk)
        try await bench.manager.clearCaches()
        let error = await imageError { try await bench.manager.image(for: request) }
        #expect(error?.code == .notCached)
        #expect(error?.attempts.map(\.code) == [.notCached, .notCached, .notCached])
        #expect(asked(bench) == ["second.raw"])
    }

    @Test func `alternatives are written as URLs separated by spaces, without secrets`() throws {
        let key = ContextKey.alternatives.declaration
        let setting = try key.setting(from: "fake://host/a.raw fake://ann:password@host/b.raw")
        #expect(ImageContext([setting])[.alternatives]?.count == 2)
        #expect(setting.text == "fake://host/a.raw fake://host/b.raw")
        #expect(try ImageContext([key.setting(from: "off")])[.alternatives]?.isEmpty == true)
        #expect(throws: ImageError.self) { try key.setting(from: "fake://host/a.raw b.raw") }
        #expect(throws: ImageError.self) { try key.setting(from: " ") }
    }
}
