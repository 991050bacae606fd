import CalotypeTesting
import Testing

@testable import Calotype

/// The calls of a delegate, and the effect of its decisions.
@Suite(.timeLimit(.minutes(5)))
struct DelegateTests {
    /// A delegate with configurable decisions that records its calls.
    private final class Referee: ImageManagerDelegate {
        private let allows: Bool
        private let remembers: Bool?
        /// The gate at which it blocks its thread before it decides on loading the bench's own picture.
        private let gate: BlockingGate?
        private let asked = Lock<[String]>([])

        init(allows: Bool = true, remembers: Bool? = nil, gate: BlockingGate? = nil) {
            self.allows = allows
            self.remembers = remembers
            self.gate = gate
        }

        var questions: [String] { asked.withLock { $0 } }

        func shouldLoad(_ request: LoadRequest) -> Bool {
            asked.withLock { $0.append("load \(request.url.lastPathComponent)") }
            if request.url == Bench.url { gate?.pass() }
            return allows
        }

        func shouldRememberFailure(of url: URL, error: ImageError) -> Bool? {
            asked.withLock { $0.append("remember \(url.lastPathComponent): \(error.code.rawValue)") }
            return remembers
        }
    }

    /// A delegate with the default decisions.
    private struct Silent: ImageManagerDelegate {}

    private func fail(_ bench: Bench, as code: ImageError.Code) {
        bench.loader.answer(
            Bench.url.absoluteString, with: .failure(ImageError(code, stage: .load, message: "failed")))
    }

    /// A delegate that refuses redirects to another host.
    private struct Homebody: ImageManagerDelegate {
        func shouldFollowRedirect(of request: LoadRequest, to url: URL) -> Bool { url.host() == request.url.host() }
    }

    /// A loader that is redirected before it receives anything.
    private struct Wanderer: ImageLoader {
        func canLoad(_ request: LoadRequest) -> Bool { true }

        @concurrent func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
            for text in ["fake://host/near.raw", "fake://elsewhere/far.raw"] {
                guard let url = URL(string: text), try await request.shouldFollowRedirect(to: url) else {
                    throw ImageError(.redirectRefused, stage: .load, message: "not to \(text)")
                }
            }
            try await sink.begin(LoadHead())
            try await sink.write(RawImageCoder.file(width: 40, height: 30))
            return .complete
        }
    }

    // MARK: Redirects

    @Test func `loaders ask the delegate about redirects, and follow them without one`() async throws {
        let bench = Bench(context: [.imageLoader(Wanderer()), .off(.imageCache)])
        let refusal = await imageError { try await bench.manager.image(for: bench.request([.delegate(Homebody())])) }
        #expect(refusal?.code == .redirectRefused)
        #expect(refusal?.message == "not to fake://elsewhere/far.raw")
        #expect(try await bench.manager.image(for: bench.request([.delegate(Silent())])).width == 40)
        #expect(try await bench.manager.image(for: bench.request()).width == 40)
    }

    /// A delegate that blocks its thread when it is asked about redirects.
    private struct SlowGuide: ImageManagerDelegate {
        let gate: BlockingGate

        func shouldFollowRedirect(of request: LoadRequest, to url: URL) -> Bool {
            gate.pass()
            return true
        }
    }

    @Test func `slow redirects do not delay requests without one`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let bench = Bench(
            concurrency: Concurrency(loads: 64), context: [.delegate(SlowGuide(gate: gate)), .off(.imageCache)])
        let lanes = bench.manager.pipeline.lanes
        // Given more redirects than there are threads in any lane for plugin code
        let count = max(lanes.redirecting.width, lanes.resolving.width) + 1
        let stuck = (0..<count).map { index in
            bench.manager.load(ImageRequest("fake://host/\(index).raw", context: [.imageLoader(Wanderer())]))
        }
        await gate.waitForArrivals(lanes.redirecting.width)
        // Then the delegate is asked about other loads, which succeed
        #expect(try await bench.manager.image(for: bench.request()).width == 40)
        gate.open()
        for task in stuck { #expect(try await task.response.image.width == 40) }
    }

    // MARK: Loads

    @Test func `a load that the delegate forbids does not start`() async {
        let bench = Bench(context: [.delegate(Referee(allows: false))])
        let error = await imageError { try await bench.manager.image(for: bench.request()) }
        #expect(error?.code == .notCached)
        #expect(error?.component == "Referee")
        #expect(error?.subject == "fake://host/picture.raw")
        #expect(bench.loader.loadCount == 0)
    }

    @Test func `the delegate is asked only after a cache miss`() async throws {
        let referee = Referee()
        let bench = Bench(context: [.delegate(referee)])
        _ = try await bench.manager.image(for: bench.request())
        #expect(referee.questions == ["load picture.raw"])
        _ = try await bench.manager.image(for: bench.request())
        bench.memory.clear()
        _ = try await bench.manager.image(for: bench.request([.thumbnailPixelSize(8, 8)]))
        let unknown = ImageRequest("fake://host/other.raw", context: [.fromCacheOnly])
        #expect(await imageError { try await bench.manager.image(for: unknown) }?.code == .notCached)
        #expect(referee.questions == ["load picture.raw"])
    }

    @Test func `the delegate is asked once for a shared load, and not again for retries`() async throws {
        let referee = Referee()
        let policy = RetryPolicy(count: 2, firstDelay: .zero)
        let bench = Bench(isOpen: false, context: [.delegate(referee), .retryPolicy(policy)])
        fail(bench, as: .connectionFailed)
        let requests = [5, 6, 7].map { bench.request([.thumbnailPixelSize($0, $0)]) }
        let tasks = requests.map { bench.manager.load($0) }
        try await bench.manager.waitForWaiters(3, for: .original, of: requests[0])
        bench.gate.open()
        for task in tasks { #expect(await imageError { try await task.response }?.code == .connectionFailed) }
        #expect(bench.loader.loadCount == 3)
        #expect(referee.questions == ["load picture.raw"])
    }

    @Test func `the delegate of the nearest layer is asked, or none if that layer turns it off`() async throws {
        let (far, near) = (Referee(allows: false), Referee())
        let bench = Bench(context: [.delegate(far)])
        _ = try await bench.manager.image(for: bench.request([.delegate(near)]))
        #expect(near.questions == ["load picture.raw"])
        _ = try await bench.manager.image(for: ImageRequest("fake://host/other.raw", context: [.off(.delegate)]))
        #expect(far.questions.isEmpty)
    }

    @Test func `a delegate without implementations allows everything and keeps the rules`() async throws {
        let bench = Bench(context: [.delegate(Silent()), .failedURLTimeToLive(.seconds(60))])
        _ = try await bench.manager.image(for: "fake://host/other.raw")
        fail(bench, as: .notFound)
        _ = await imageError { try await bench.manager.image(for: bench.request()) }
        #expect(bench.manager.failure(of: Bench.url)?.code == .notFound)
    }

    @Test func `a slow delegate delays no other request, and can be cancelled`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let bench = Bench(context: [.delegate(Referee(gate: gate))])
        let waiting = bench.manager.load(bench.request())
        await gate.waitForArrivals(1)
        #expect(try await bench.manager.image(for: "fake://host/other.raw").width == 40)
        waiting.cancel()
        #expect(await imageError { try await waiting.response }?.code == .cancelled)
        try await waitUntil("the manager is idle") { bench.manager.isIdle }
        #expect(bench.loader.requests.map(\.url.lastPathComponent) == ["other.raw"])
    }

    @Test(arguments: [ImageResponse.Source.memory, .disk])
    func `a refresh that the delegate forbids ends with the cached image`(source: ImageResponse.Source) async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let (bench, referee) = (Bench(), Referee(allows: false, gate: gate))
        let first = try await bench.manager.image(for: bench.request())
        if source == .disk { bench.memory.clear() }
        let task = bench.manager.load(bench.request([.refreshCached, .delegate(referee)]))
        var events = task.makeAsyncIterator()
        guard case .cached(let shown)? = try await events.next() else {
            Issue.record("expected the cached image first")
            return
        }
        // Until then the request cannot end, which would replace a preview that was not yet consumed.
        gate.open()
        guard case .finished(let last)? = try await events.next() else {
            Issue.record("expected the request to end with an image")
            return
        }
        #expect(shown.source == source)
        #expect(last.source == source)
        #expect(last.image.isIdentical(to: shown.image))
        #expect(last.image.colors == first.colors)
        #expect(referee.questions == ["load picture.raw"])
        #expect(bench.loader.loadCount == 1)
    }

    // MARK: Remembered failures

    @Test(arguments: [(true, ImageError.Code.connectionFailed), (false, .notFound)])
    func `the delegate's decision on a failure overrides the rules`(remembers: Bool, code: ImageError.Code) async {
        let referee = Referee(remembers: remembers)
        let bench = Bench(context: [.delegate(referee), .failedURLTimeToLive(.seconds(60))])
        fail(bench, as: code)
        for _ in 0..<2 {
            #expect(await imageError { try await bench.manager.image(for: bench.request()) }?.code == code)
        }
        #expect(bench.loader.loadCount == (remembers ? 1 : 2))
        #expect(referee.questions.contains("remember picture.raw: \(code.rawValue)"))
    }

    @Test(arguments: [true, false])
    func `the delegate also decides on pictures that do not decode`(remembers: Bool) async {
        let referee = Referee(remembers: remembers)
        let bench = Bench(context: [.delegate(referee), .failedURLTimeToLive(.seconds(60))])
        let lastRow = 4 * 4
        let damaged = Data(RawImageCoder.file(width: 4, height: 4).dropLast(lastRow))
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(damaged))
        for _ in 0..<2 {
            #expect(await imageError { try await bench.manager.image(for: bench.request()) }?.code == .badData)
        }
        let count = remembers ? 1 : 2
        #expect(bench.loader.loadCount == count)
        let questions = referee.questions.filter { $0.hasPrefix("remember") }
        #expect(questions == Array(repeating: "remember picture.raw: badData", count: count))
    }

    @Test func `the delegate is not asked about failures that are not remembered`() async throws {
        let referee = Referee(remembers: true)
        let bench = Bench(isOpen: false, context: [.delegate(referee)])
        fail(bench, as: .notFound)
        let cancelled = bench.manager.load(bench.request([.failedURLTimeToLive(.seconds(60))]))
        await bench.gate.waitForArrivals(1)
        cancelled.cancel()
        try await waitUntil("the manager is idle") { bench.manager.isIdle }
        bench.gate.open()
        #expect(await imageError { try await bench.manager.image(for: bench.request()) }?.code == .notFound)
        #expect(referee.questions == ["load picture.raw", "load picture.raw"])
        #expect(bench.manager.failure(of: Bench.url) == nil)
    }
}
