#if HTTP
import CalotypeTesting
import Testing

@testable import Calotype
@testable import CalotypeHTTP

/// A delegate that decides on redirects.
@Suite(.timeLimit(.minutes(5)))
struct RedirectDelegateTests {
    private let server: ScriptedServer

    init() throws {
        server = try ScriptedServer()
        server.answer("/picture.raw", with: .bytes(RawImageCoder.file(width: 4, height: 3)))
        server.answer("/one", with: .redirect(to: "/two"))
        server.answer("/two", with: .redirect(to: "/picture.raw"))
        server.answer("/forbidden", with: .bytes(RawImageCoder.file(width: 4, height: 3)))
    }

    /// A delegate that records the targets of redirects, and refuses those to `/forbidden`.
    private final class Guide: ImageManagerDelegate {
        private let asked = Lock<[String]>([])
        /// The gate at which it blocks its thread before it answers.
        private let gate: BlockingGate?

        init(gate: BlockingGate? = nil) { self.gate = gate }

        var questions: [String] { asked.withLock { $0 } }

        func shouldFollowRedirect(of request: LoadRequest, to url: URL) -> Bool {
            asked.withLock { $0.append("\(request.url.lastPathComponent) to \(url.absoluteString)") }
            gate?.pass()
            return url.lastPathComponent != "forbidden"
        }
    }

    /// Returns a bench whose loader performs one load at a time.
    private func bench(_ guide: Guide) throws -> HTTPBench {
        var configuration = CurlImageLoader.Configuration()
        configuration.maxConcurrentLoads = 1
        return try HTTPBench(configuration, context: [.delegate(guide)])
    }

    @Test func `the delegate is asked about each redirect, and allowed ones are followed`() async throws {
        let guide = Guide()
        let bench = try bench(guide)
        #expect(try await bench.manager.image(for: server.url("/one")).width == 4)
        #expect(guide.questions == ["one to \(server.url("/two"))", "one to \(server.url("/picture.raw"))"])
        #expect(server.requests.map(\.path) == ["/one", "/two", "/picture.raw"])
        #expect(server.connectionCount == 1)
    }

    @Test func `a forbidden redirect is not requested, and the next load starts`() async throws {
        let guide = Guide()
        let bench = try bench(guide)
        server.answer("/away", with: .redirect(to: "/forbidden"))
        let error = try #require(await bench.failure(of: server.url("/away")))
        #expect(error.code == .redirectRefused)
        #expect(error.message.contains("127.0.0.1:\(server.port)"))
        #expect(server.requests.map(\.path) == ["/away"])
        #expect(try await bench.manager.image(for: server.url("/picture.raw")).width == 4)
    }

    @Test func `a slow delegate delays no other transfer`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let bench = try HTTPBench(context: [.delegate(Guide(gate: gate))])
        let task = bench.manager.load(ImageRequest(server.url("/one")))
        await gate.waitForArrivals(1)
        #expect(try await bench.manager.image(for: server.url("/picture.raw")).width == 4)
        #expect(server.requestCount(of: "/two") == 0, "the delegate has not decided yet")
        gate.open()
        #expect(try await task.response.image.width == 4)
    }

    @Test func `a load cancelled while the delegate decides frees its slot`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let bench = try bench(Guide(gate: gate))
        let task = bench.manager.load(ImageRequest(server.url("/one")))
        await gate.waitForArrivals(1)
        task.cancel()
        #expect(await imageError { try await task.response }?.code == .cancelled)
        #expect(try await bench.manager.image(for: server.url("/picture.raw")).width == 4)
        #expect(server.requestCount(of: "/two") == 0)
    }

    @Test func `an approval applies only to the address that was asked about`() async throws {
        let engine = CurlEngine(CurlImageLoader.Configuration())
        defer { engine.stop() }
        func transfer(_ path: String) throws -> CurlTransfer {
            var request = LoadRequest(url: server.url(path), context: ResolvedContext(.patient))
            request.redirectApproval = { _ in true }
            return CurlTransfer(
                try HTTPRequest(request, defaults: HTTPHeaders()), priority: .normal, engine: engine)
        }
        func isWhole(_ transfer: CurlTransfer) async throws -> Bool {
            while true {
                switch try await transfer.next() {
                case .redirect: return false
                case .head, .chunk: break
                case .end: return true
                }
            }
        }
        let asking = try transfer("/one")
        try engine.add(asking)
        guard case .redirect(from: _, to: let first) = try await asking.next() else {
            Issue.record("expected a redirect")
            return
        }
        asking.follow(to: first)
        guard case .redirect(from: _, to: let second) = try await asking.next() else {
            Issue.record("expected a second redirect")
            return
        }
        asking.follow(to: first)
        let other = try transfer("/forbidden")
        try engine.add(other)
        #expect(try await isWhole(other), "the engine has ignored the late approval")
        #expect(server.requests.map(\.path) == ["/one", "/two", "/forbidden"])
        asking.follow(to: second)
        #expect(try await isWhole(asking))
        #expect(server.requestCount(of: "/picture.raw") == 1)
    }

    @Test func `an approved redirect waits for its turn at a full host`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let host = try ScriptedServer()
        let file = RawImageCoder.file(width: 4, height: 3)
        host.answer("/holder.raw", with: .bytes(file).stalled(after: 0, at: gate))
        host.answer("/picture.raw", with: .bytes(file))
        server.answer("/away", with: .redirect(to: host.url("/picture.raw").absoluteString))
        var configuration = CurlImageLoader.Configuration()
        configuration.maxConcurrentLoadsPerHost = 1
        let guide = Guide()
        let bench = try HTTPBench(configuration, context: [.delegate(guide)])
        let holder = bench.manager.load(ImageRequest(host.url("/holder.raw")))
        await host.waitForRequests(1)
        let away = bench.manager.load(ImageRequest(server.url("/away")))
        try await waitUntil("the delegate is called") { guide.questions.count == 1 }
        // The redirected load has left its first host, which has only one slot.
        #expect(try await bench.manager.image(for: server.url("/picture.raw")).width == 4)
        #expect(host.requestCount == 1)
        gate.open()
        #expect(try await holder.response.image.width == 4)
        #expect(try await away.response.image.width == 4)
        #expect(host.requests.map(\.path) == ["/holder.raw", "/picture.raw"])
        #expect(guide.questions.count == 1, "the delegate is asked once")
    }

    @Test func `the delegate is not asked about refused redirects, and sees no password`() async throws {
        let guide = Guide()
        let bench = try bench(guide)
        server.answer("/away", with: .redirect(to: "ftp://127.0.0.1/picture.raw"))
        #expect(await bench.failure(of: server.url("/away"))?.code == .redirectRefused)
        #expect(guide.questions.isEmpty)
        server.answer("/on", with: .redirect(to: "http://user:s3cr3t@127.0.0.1:\(server.port)/picture.raw"))
        #expect(await bench.failure(of: server.url("/on")) == nil)
        #expect(guide.questions == ["on to \(server.url("/picture.raw"))"])
    }
}
#endif
