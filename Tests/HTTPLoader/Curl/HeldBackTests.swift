#if HTTP
import Calotype
import CalotypeTesting
import Testing

@testable import CalotypeHTTP

/// Transfers that are held back because libcurl buffers too much for others with the same origin.
@Suite(.timeLimit(.minutes(5)))
struct HeldBackTests {
    private let server: ScriptedServer
    private let other: ScriptedServer
    private let loader: CurlImageLoader
    private let body = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
    private let large = Data(count: 4 << 20)

    /// Creates a loader that holds others back as soon as it buffers anything.
    init() throws {
        server = try ScriptedServer()
        other = try ScriptedServer()
        var configuration = CurlImageLoader.Configuration()
        configuration.heldByteLimit = 0
        loader = CurlImageLoader(configuration)
        server.answer("/large", with: .bytes(large))
        let small = Data(body.prefix(1000))
        other.answerOthers { _ in .bytes(small) }
    }

    /// Starts a load.
    private func start(_ path: String, into sink: CollectingSink) -> Task<LoadOutcome, any Error> {
        let request = LoadRequest(url: server.url(path), context: ResolvedContext(.patient))
        return Task { [loader] in try await loader.load(request, into: sink) }
    }

    /// Lets the thread run several rounds: each of these loads takes several.
    private func passRounds() async throws {
        for _ in 0..<50 { #expect(try await loader.fetch(other.url("/small")).data.count == 1000) }
    }

    private func request(of path: String) -> ScriptedRequest? { server.requests.first { $0.path == path } }

    @Test(arguments: [false, true])
    func `a held-back transfer that the server ends finishes once, cancelled or not`(isCancelled: Bool) async throws {
        let end = BlockingGate()
        defer { end.open() }
        server.answer("/held", with: .bytes(body).stalled(after: 1000, at: end).closed())
        // Given a transfer that has begun, and one that its reader has paused
        let sink = CollectingSink()
        let held = start("/held", into: sink)
        try await waitUntil("the first bytes are received") { sink.data.count == 1000 }
        let gate = Gate()
        let slowSink = CollectingSink(gate: gate)
        let slow = start("/large", into: slowSink)
        await gate.waitForArrivals(1)
        let window = CurlTransfer.window + CurlTransfer.chunkSize + CurlHandle.bufferSize
        try await waitUntil("more bytes were sent than fit into the reader's window") {
            request(of: "/large")?.bytesSent ?? 0 >= window
        }
        try await passRounds()
        // When the first one is cancelled, and the server ends
        if isCancelled {
            held.cancel()
            await #expect(throws: CancellationError.self) { try await held.value }
        }
        end.open()
        try await waitUntil("the server has ended the response") { request(of: "/held")?.outcome != nil }
        try await passRounds()
        #expect(sink.data.count == 1000, "no more bytes are received")
        #expect(sink.metrics.count == (isCancelled ? 1 : 0))
        // Then it ends once when others continue
        gate.open()
        _ = try await slow.value
        #expect(slowSink.data == large)
        try await passRounds()
        if !isCancelled { _ = try await held.value }
        #expect(sink.data == (isCancelled ? body.prefix(1000) : body))
        #expect(sink.metrics.count == 1)
        try await expectTransfersApart()
    }

    /// Checks that concurrent loads receive their own bodies. A transfer that ended twice would leave its handle to
    /// two.
    private func expectTransfersApart() async throws {
        let paths = (0..<6).map { "/apart/\($0)" }
        for (index, path) in paths.enumerated() {
            server.answer(path, with: .bytes(Data(repeating: UInt8(index), count: 50_000)))
        }
        let loads = paths.map { path in
            Task { [loader, server] in try await loader.fetch(server.url(path)).data }
        }
        for (index, load) in loads.enumerated() {
            #expect(try await load.value == Data(repeating: UInt8(index), count: 50_000))
        }
    }
}
#endif
