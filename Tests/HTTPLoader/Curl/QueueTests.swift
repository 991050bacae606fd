#if HTTP
import CalotypeHTTP
import CalotypeTesting
import Testing

@testable import Calotype

/// The number of concurrent loads, and their order.
@Suite(.timeLimit(.minutes(5)))
struct QueueTests {
    typealias Order = CurlImageLoader.Configuration.Order

    private let server: ScriptedServer
    private let line = TaskLine()
    private let picture = RawImageCoder.file(width: 4, height: 3)

    init() throws { server = try ScriptedServer() }

    private func loader(_ limit: Int, perHost: Int = .max, order: Order = .firstInFirstOut) -> CurlImageLoader {
        var configuration = CurlImageLoader.Configuration()
        configuration.maxConcurrentLoads = limit
        configuration.maxConcurrentLoadsPerHost = perHost
        configuration.order = order
        return CurlImageLoader(configuration)
    }

    // MARK: Limits

    @Test func `by default six loads run at once, and six for a host`() {
        let configuration = CurlImageLoader.Configuration()
        #expect(configuration.maxConcurrentLoads == 6)
        #expect(configuration.maxConcurrentLoadsPerHost == 6)
        #expect(configuration.order == .firstInFirstOut)
        #expect(loader(3).configuration.maxConcurrentLoads == 3)
    }

    @Test(arguments: [(3, Int.max), (Int.max, 3), (3, 3)])
    func `the number of concurrent loads never exceeds the limit`(limit: Int, perHost: Int) async throws {
        let gates = (0..<12).map { _ in BlockingGate() }
        server.answer("/picture.raw") { [picture] request in
            .bytes(picture).stalled(after: 0, at: gates[request.attempt - 1])
        }
        let loader = loader(limit, perHost: perHost)
        let url = server.url("/picture.raw")
        let loads = gates.map { _ in line.start { try await loader.fetch(url) } }
        await line.settle()
        // One more starts for each that ends. A premature one would be counted with a later one at the latest.
        for (index, gate) in gates.enumerated() {
            let count = min(index + 3, gates.count)
            await server.waitForRequests(count)
            #expect(server.requestCount == count)
            gate.open()
        }
        for load in loads { #expect(try await load.value.data == picture) }
        #expect(server.connectionCount <= 3)
    }

    @Test func `a full host does not delay another`() async throws {
        let gate = BlockingGate()
        let other = try ScriptedServer()
        for server in [server, other] {
            server.answer("/picture.raw", with: .bytes(picture).stalled(after: 0, at: gate))
        }
        let loader = loader(4, perHost: 2)
        let urls = [server, server, server, server, other, other, other].map { $0.url("/picture.raw") }
        let loads = urls.map { url in line.start { try await loader.fetch(url) } }
        await server.waitForRequests(2)
        await other.waitForRequests(2)
        await line.settle()
        #expect(server.requestCount == 2)
        #expect(other.requestCount == 2)
        gate.open()
        for load in loads { #expect(try await load.value.data == picture) }
        #expect(server.requestCount == 4)
        #expect(other.requestCount == 3)
    }

    @Test func `the transfer timeout excludes waiting in the queue`() async throws {
        let gate = BlockingGate()
        server.answer("/holder", with: .bytes(picture).stalled(after: 0, at: gate))
        server.answer("/picture.raw", with: .bytes(picture))
        server.answer("/clock", with: .silence)
        let loader = loader(1)
        let urls = [server.url("/holder"), server.url("/picture.raw")]
        let holder = line.start { try await loader.fetch(urls[0]) }
        let waiting = line.start { try await loader.fetch(urls[1], [.transferTimeout(.milliseconds(300))]) }
        await line.settle()
        // The time is measured by the timeout of another loader.
        let late: ImageContext = [.transferTimeout(.milliseconds(600))]
        #expect(await imageError { try await CurlImageLoader().fetch(server.url("/clock"), late) }?.code == .timedOut)
        gate.open()
        #expect(try await holder.value.metrics.queued < .milliseconds(500))
        #expect(try await waiting.value.metrics.queued >= .milliseconds(500))
    }

    // MARK: Order

    @Test(arguments: [
        (QueueTests.Order.firstInFirstOut, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]),
        (QueueTests.Order.lastInFirstOut, [1, 7, 14, 13, 12, 11, 10, 9, 8, 6, 5, 4, 3, 2]),
    ])
    func `equal loads start in the configured order`(order: Order, expected: [Int]) async throws {
        let gates = [1: BlockingGate(), 7: BlockingGate()]
        server.answerOthers { [picture] request in
            guard let gate = gates[Int(request.path.dropFirst()) ?? 0] else { return .bytes(picture) }
            return .bytes(picture).stalled(after: 0, at: gate)
        }
        let loader = loader(1, order: order)
        let ended = Lock<[Int]>([])
        func start(_ numbers: ClosedRange<Int>) async -> [Task<Void, any Error>] {
            let tasks = numbers.map { number in
                let url = server.url("/\(number)")
                return line.start {
                    _ = try await loader.fetch(url)
                    ended.withLock { $0.append(number) }
                }
            }
            await line.settle()
            return tasks
        }
        // The first load takes the only slot. Loads that arrive while its thread is busy would compete with it.
        var first = await start(1...1)
        await server.waitForRequests(1)
        first += await start(2...7)
        gates[1]?.open()
        await server.waitForRequests(1, of: "/7")
        let second = await start(8...14)
        gates[7]?.open()
        for task in first + second { try await task.value }
        #expect(server.requests.map(\.path) == expected.map { "/\($0)" })
        #expect(ended.withLock { $0 } == expected)
    }

    @Test func `urgent loads overtake others, and so do loads that become urgent`() async throws {
        let gate = BlockingGate()
        server.answerOthers { [picture] _ in .bytes(picture) }
        server.answer("/holder", with: .bytes(picture).stalled(after: 0, at: gate))
        let loader = loader(1)
        var demands: [String: Demand] = [:]
        var tasks: [Task<LoadOutcome, any Error>] = []
        let wishes: [(String, Priority)] = [
            ("holder", .veryLow), ("low", .low), ("one", .normal), ("two", .normal), ("high", .high),
            ("raised", .veryLow), ("lowered", .veryHigh),
        ]
        for (name, priority) in wishes {
            let demand = Demand(priority)
            demands[name] = demand
            var request = LoadRequest(url: server.url("/\(name)"), context: ResolvedContext(.patient))
            request.demand = demand
            tasks.append(line.start { [request] in try await loader.load(request, into: CollectingSink()) })
            if name == "holder" { await server.waitForRequests(1) }
        }
        await line.settle()
        demands["raised"]?.priority = .veryHigh
        demands["lowered"]?.priority = .veryLow
        gate.open()
        for task in tasks { _ = try await task.value }
        let order = ["/holder", "/raised", "/high", "/one", "/two", "/low", "/lowered"]
        #expect(server.requests.map(\.path) == order)
    }

    @Test func `a request's priority is that of its load`() async throws {
        let gate = BlockingGate()
        server.answerOthers { [picture] _ in .bytes(picture) }
        server.answer("/holder", with: .bytes(picture).stalled(after: 0, at: gate))
        let loader = loader(1)
        let urls = ["/holder", "/low", "/high"].map { server.url($0) }
        let contexts: [ImageContext] = [[], [.priority(.low)], [.priority(.high)]]
        var tasks: [Task<Loaded, any Error>] = []
        for (url, context) in zip(urls, contexts) {
            tasks.append(line.start { try await loader.fetch(url, context) })
            if tasks.count == 1 { await server.waitForRequests(1) }
        }
        await line.settle()
        gate.open()
        for task in tasks { _ = try await task.value }
        #expect(server.requests.map(\.path) == ["/holder", "/high", "/low"] as [String])
    }

    @Test func `with a manager, too, a full host lets another pass, however much waits`() async throws {
        let gate = BlockingGate()
        let other = try ScriptedServer()
        let file = try RawImageCoder.blankFile(width: 4, height: 3)
        server.answerOthers { _ in .bytes(file).stalled(after: 0, at: gate) }
        other.answer("/picture.raw", with: .bytes(file))
        var configuration = CurlImageLoader.Configuration()
        configuration.maxConcurrentLoads = 12
        let bench = try HTTPBench(configuration)
        let waiting = (0..<100).map { bench.manager.load(server.url("/\($0).raw")) }
        await server.waitForRequests(6)
        #expect(try await bench.manager.image(for: other.url("/picture.raw")).size == PixelSize(4, 3))
        #expect(server.requestCount == 6)
        gate.open()
        for task in waiting { _ = try await task.response }
    }
}
#endif
