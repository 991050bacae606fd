#if HTTP
import Calotype
import CalotypeHTTP
import CalotypeTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CancellingTests {
    private let server: ScriptedServer
    private let gate = BlockingGate()
    private let line = TaskLine()
    private let picture = RawImageCoder.file(width: 40, height: 30)

    init() throws { server = try ScriptedServer() }

    private var url: URL { server.url("/picture.raw") }

    /// Waits until a task has received a number of bytes, from when on it shares the transfer.
    private func wait(for task: ImageTask, toHave count: Int) async throws {
        for try await event in task {
            if case .progress(let progress) = event, progress.byteCount >= count { return }
        }
    }

    /// Returns whether each response was sent to its end, as soon as it has ended.
    private func werePlayed(_ count: Int) async -> [Bool] {
        await server.waitForAnswers(count)
        return server.requests.map { $0.outcome == .played }
    }

    // MARK: Through a manager

    @Test func `one of two waiters can leave a transfer`() async throws {
        let bench = try HTTPBench()
        server.answer("/picture.raw", with: .bytes(picture).stalled(after: 1000, at: gate))
        let tasks = [10, 20].map { side in
            bench.manager.load(ImageRequest(url, context: [.thumbnailPixelSize(side, side)]))
        }
        for task in tasks { try await wait(for: task, toHave: 1000) }
        tasks[0].cancel()
        #expect(await imageError { try await tasks[0].response }?.code == .cancelled)
        gate.open()
        #expect(try await tasks[1].response.image.width == 20)
        #expect(await werePlayed(1) == [true])
    }

    @Test func `when the last waiter leaves, the connection is closed and nothing is stored`() async throws {
        let bench = try HTTPBench()
        server.answer("/picture.raw", with: .bytes(picture).stalled(after: 1000, at: gate))
        let tasks = [10, 20].map { side in
            bench.manager.load(ImageRequest(url, context: [.thumbnailPixelSize(side, side)]))
        }
        for task in tasks { try await wait(for: task, toHave: 1000) }
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await imageError { try await task.response }?.code == .cancelled) }
        #expect(await werePlayed(1) == [false])
        await server.waitForOpenConnections(atMost: 0)
        bench.expectNothingKept()
    }

    @Test func `a cancelled URL can be requested again at once`() async throws {
        let bench = try HTTPBench()
        server.answer("/picture.raw") { [picture, gate] request in
            request.attempt == 1 ? .bytes(picture).stalled(after: 1000, at: gate) : .bytes(picture)
        }
        let first = bench.manager.load(url)
        try await wait(for: first, toHave: 1000)
        first.cancel()
        let second = bench.manager.load(url)
        #expect(await imageError { try await first.response }?.code == .cancelled)
        #expect(try await second.response.image.size == PixelSize(40, 30))
    }

    @Test func `a request that times out closes its connection`() async throws {
        let bench = try HTTPBench()
        server.answer("/picture.raw", with: .silence)
        #expect(await bench.failure(of: url, [.timeout(.milliseconds(200))])?.code == .timedOut)
        await server.waitForOpenConnections(atMost: 0)
        bench.expectNothingKept()
    }

    // MARK: The loader alone

    @Test func `cancelling during the body returns at once and closes the connection`() async throws {
        server.answer("/picture.raw", with: .bytes(picture).stalled(after: 1000, at: gate))
        let arrivals = Gate(isOpen: true)
        let sink = CollectingSink(gate: arrivals)
        let loader = CurlImageLoader()
        let request = LoadRequest(url: url, context: ResolvedContext(.patient))
        let load = Task { try await loader.load(request, into: sink) }
        await arrivals.waitForArrivals(1)
        load.cancel()
        await #expect(throws: CancellationError.self) { try await load.value }
        #expect(await werePlayed(1) == [false])
        await server.waitForOpenConnections(atMost: 0)
        #expect(sink.heads.count == 1)
        #expect(sink.metrics.count == 1)
        let count = sink.data.count
        #expect(sink.metrics.first?.receivedByteCount ?? 0 >= count)
        #expect((1...1000).contains(count))
    }

    @Test func `cancelling before the response returns at once and closes the connection`() async throws {
        server.answer("/picture.raw", with: .silence)
        let loader = CurlImageLoader()
        let url = url
        let load = Task { try await loader.fetch(url) }
        await server.waitForRequests(1)
        load.cancel()
        await #expect(throws: CancellationError.self) { try await load.value }
        await server.waitForOpenConnections(atMost: 0)
    }

    @Test func `a waiting load leaves the queue when cancelled`() async throws {
        server.answer("/holder", with: .bytes(picture).stalled(after: 1000, at: gate))
        server.answer("/picture.raw", with: .bytes(picture))
        var configuration = CurlImageLoader.Configuration()
        configuration.maxConcurrentLoads = 1
        let loader = CurlImageLoader(configuration)
        let urls = (holder: server.url("/holder"), other: url)
        let sink = CollectingSink()
        let holder = line.start { try await loader.fetch(urls.holder) }
        let waiting = line.start {
            try await loader.load(LoadRequest(url: urls.other, context: ResolvedContext(.patient)), into: sink)
        }
        let last = line.start { try await loader.fetch(urls.other) }
        await line.settle()
        await server.waitForRequests(1)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(server.requestCount == 1, "the only slot is still taken")
        gate.open()
        #expect(try await holder.value.data == picture)
        #expect(try await last.value.data == picture)
        #expect(server.requestCount(of: "/picture.raw") == 1)
        #expect(sink.heads.isEmpty)
        #expect(sink.metrics.isEmpty, "no transfer took place")
    }

    @Test func `the slot of a cancelled load is free for the next`() async throws {
        server.answer("/picture.raw") { [picture] in $0.attempt == 1 ? .silence : .bytes(picture) }
        var configuration = CurlImageLoader.Configuration()
        configuration.maxConcurrentLoads = 1
        let loader = CurlImageLoader(configuration)
        let url = url
        let holder = line.start { try await loader.fetch(url) }
        await server.waitForRequests(1)
        let next = line.start { try await loader.fetch(url) }
        await line.settle()
        holder.cancel()
        #expect(try await next.value.data == picture)
    }

    @Test func `a load that is cancelled before it starts sends no request`() async throws {
        let loader = CurlImageLoader()
        let url = url
        let start = Gate()
        let load = Task {
            // Cancellation also opens the gate.
            try? await start.pass()
            return try await loader.fetch(url)
        }
        load.cancel()
        await #expect(throws: CancellationError.self) { try await load.value }
        #expect(server.connectionCount == 0)
    }

    @Test func `an error thrown by a sink ends the transfer and is passed on`() async throws {
        struct Refusal: Error {}
        struct Refusing: ByteSink {
            let inHead: Bool
            func begin(_ head: LoadHead) async throws { if inHead { throw Refusal() } }
            func write(_ chunk: Data) async throws { throw Refusal() }
        }
        server.answer("/picture.raw", with: .endlessBody(repeating: picture))
        let loader = CurlImageLoader()
        for inHead in [true, false] {
            await #expect(throws: Refusal.self) {
                try await loader.load(
                    LoadRequest(url: url, context: ResolvedContext(.patient)), into: Refusing(inHead: inHead))
            }
            await server.waitForOpenConnections(atMost: 0)
        }
        #expect(await werePlayed(2) == [false, false])
    }

    @Test func `a loader released just after a cancellation leaves nothing behind`() async throws {
        server.answer("/silent", with: .silence)
        for round in 1...50 {
            let leftovers: Leftovers
            do {
                let loader = CurlImageLoader()
                leftovers = try Leftovers(of: loader)
                let url = server.url("/silent")
                let load = Task { try await loader.fetch(url) }
                await server.waitForRequests(round)
                load.cancel()
                _ = await load.result
            }
            try await leftovers.waitUntilGone()
        }
    }
}
#endif
