#if HTTP
import Calotype
import CalotypeHTTP
import CalotypeTesting
import Testing

/// The limits on concurrent transfers, as set by the requests.
@Suite(.timeLimit(.minutes(5)))
struct RequestLimitTests {
    private let line = TaskLine()
    private let picture = RawImageCoder.file(width: 4, height: 3)

    /// The server context, which also allows the servers of the test.
    private static let server = ImageContext.server.merging([.addressPolicy(.any)])

    @Test func `a seventh host is served at once while six stall`() async throws {
        let bench = try HTTPBench(context: Self.server)
        let gate = BlockingGate()
        let stalled = try (0..<6).map { _ in try ScriptedServer() }
        for (index, server) in stalled.enumerated() {
            let place = index.isMultiple(of: 2) ? 0 : picture.count / 2
            server.answer("/picture.raw", with: .bytes(picture).stalled(after: place, at: gate))
        }
        let waiting = stalled.map { bench.manager.load($0.url("/picture.raw")) }
        for server in stalled { await server.waitForRequests(1) }
        let seventh = try ScriptedServer()
        seventh.answer("/picture.raw", with: .bytes(picture))
        #expect(try await bench.manager.image(for: seventh.url("/picture.raw")).size == PixelSize(4, 3))
        #expect(waiting.allSatisfy { !$0.isFinished })
        gate.open()
        for task in waiting { #expect(try await task.response.image.size == PixelSize(4, 3)) }
    }

    @Test func `requests to one host take only a few slots, and let others pass`() async throws {
        let (server, other, gate) = (try ScriptedServer(), try ScriptedServer(), BlockingGate())
        server.answerOthers { [picture] _ in .bytes(picture).stalled(after: 0, at: gate) }
        other.answer("/picture.raw", with: .bytes(picture))
        let loader = CurlImageLoader()
        let urls = (0..<20).map { server.url("/\($0)") }
        let loads = urls.map { url in line.start { try await loader.fetch(url, Self.server) } }
        await server.waitForRequests(6)
        #expect(try await loader.fetch(other.url("/picture.raw"), Self.server).data == picture)
        #expect(server.requestCount == 6)
        gate.open()
        for load in loads { #expect(try await load.value.data == picture) }
    }

    @Test(arguments: [[.maxConcurrentTransfers(1)], [.maxConcurrentTransfersPerHost(1)]] as [ImageContext])
    func `a request's limit overrides the loader's`(context: ImageContext) async throws {
        let server = try ScriptedServer()
        let gates = (0..<4).map { _ in BlockingGate() }
        server.answer("/picture.raw") { [picture] request in
            .bytes(picture).stalled(after: 0, at: gates[request.attempt - 1])
        }
        let loader = CurlImageLoader()
        let url = server.url("/picture.raw")
        let loads = gates.map { _ in line.start { try await loader.fetch(url, context) } }
        await line.settle()
        for (index, gate) in gates.enumerated() {
            await server.waitForRequests(index + 1)
            #expect(server.requestCount == index + 1)
            gate.open()
        }
        for load in loads { #expect(try await load.value.data == picture) }
    }

    @Test func `a request with a high limit wakes a loader that is full for others`() async throws {
        let (server, gate) = (try ScriptedServer(), BlockingGate())
        server.answer("/stalled", with: .bytes(picture).stalled(after: 0, at: gate))
        server.answer("/picture.raw", with: .bytes(picture))
        var configuration = CurlImageLoader.Configuration()
        configuration.maxConcurrentLoads = 1
        let loader = CurlImageLoader(configuration)
        let (stalled, url) = (server.url("/stalled"), server.url("/picture.raw"))
        let first = line.start { try await loader.fetch(stalled) }
        await server.waitForRequests(1)
        #expect(try await loader.fetch(url, [.maxConcurrentTransfers(2)]).data == picture)
        gate.open()
        #expect(try await first.value.data == picture)
    }

    // MARK: Redirects

    /// Returns servers that redirect to `/picture.raw` of another one, and a loader with one connection for each host.
    private func redirecting(to target: ScriptedServer, _ count: Int) throws -> ([ScriptedServer], CurlImageLoader) {
        let servers = try (0..<count).map { _ in try ScriptedServer() }
        for server in servers { server.answer("/away", with: .redirect(to: target.url("/picture.raw").absoluteString)) }
        var configuration = CurlImageLoader.Configuration()
        configuration.maxConcurrentLoads = 20
        configuration.maxConcurrentLoadsPerHost = 1
        return (servers, CurlImageLoader(configuration))
    }

    @Test func `the limit also applies at the host of a redirect`() async throws {
        let target = try ScriptedServer()
        let gates = (0..<5).map { _ in BlockingGate() }
        target.answer("/picture.raw") { [picture] request in
            .bytes(picture).stalled(after: 0, at: gates[request.attempt - 1])
        }
        let (servers, loader) = try redirecting(to: target, gates.count)
        let urls = servers.map { $0.url("/away") }
        let context: ImageContext = [.httpHeaders(["X-Token": "secret"])]
        let loads = urls.map { url in line.start { try await loader.fetch(url, context) } }
        for server in servers { await server.waitForAnswers(1) }
        // The waiting loads occupy no slots of their first hosts.
        servers[0].answer("/other", with: .bytes(picture))
        for _ in 0..<20 { #expect(try await loader.fetch(servers[0].url("/other")).data == picture) }
        for (index, gate) in gates.enumerated() {
            await target.waitForRequests(index + 1)
            #expect(target.requestCount == index + 1)
            gate.open()
        }
        for load in loads {
            let loaded = try await load.value
            #expect(loaded.data == picture)
            #expect(loaded.metrics.redirectCount == 1)
        }
        #expect(target.requests.allSatisfy { $0.headers["X-Token"] == nil })
        #expect(servers.allSatisfy { $0.requests.first?.headers["X-Token"] == "secret" })
    }

    @Test func `the transfer timeout excludes the wait at the host of a redirect`() async throws {
        let (target, gate) = (try ScriptedServer(), BlockingGate())
        target.answer("/holder", with: .bytes(picture).stalled(after: 0, at: gate))
        target.answer("/picture.raw", with: .bytes(picture))
        target.answer("/silent", with: .silence)
        let (servers, loader) = try redirecting(to: target, 1)
        let (holder, url) = (target.url("/holder"), servers[0].url("/away"))
        let first = line.start { try await loader.fetch(holder) }
        await target.waitForRequests(1)
        let second = line.start { try await loader.fetch(url, [.transferTimeout(.seconds(6))]) }
        await servers[0].waitForAnswers(1)
        // The time is measured by the timeout of another loader.
        let late: ImageContext = [.transferTimeout(.seconds(8))]
        #expect(await imageError { try await CurlImageLoader().fetch(target.url("/silent"), late) }?.code == .timedOut)
        gate.open()
        _ = try await first.value
        let loaded = try await second.value
        #expect(loaded.data == picture)
        #expect(loaded.metrics.queued > .seconds(6), "the wait at the new host counts as queueing")
    }

    @Test func `a load cancelled while it waits at the host of a redirect ends, and delays no other`() async throws {
        let (target, gate) = (try ScriptedServer(), BlockingGate())
        target.answer("/holder", with: .bytes(picture).stalled(after: 0, at: gate))
        target.answer("/picture.raw", with: .bytes(picture))
        let (servers, loader) = try redirecting(to: target, 2)
        let (holder, urls) = (target.url("/holder"), servers.map { $0.url("/away") })
        let first = line.start { try await loader.fetch(holder) }
        await target.waitForRequests(1)
        let others = urls.map { url in line.start { try await loader.fetch(url) } }
        for server in servers { await server.waitForAnswers(1) }
        servers[0].answer("/other", with: .bytes(picture))
        for _ in 0..<20 { #expect(try await loader.fetch(servers[0].url("/other")).data == picture) }
        others[0].cancel()
        await #expect(throws: CancellationError.self) { try await others[0].value }
        gate.open()
        #expect(try await first.value.data == picture)
        #expect(try await others[1].value.data == picture)
        #expect(target.requestCount(of: "/picture.raw") == 1)
    }
}
#endif
