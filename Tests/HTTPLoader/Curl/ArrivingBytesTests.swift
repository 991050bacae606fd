#if HTTP
import Calotype
import CalotypeTesting
import Testing

@testable import CalotypeHTTP

/// The limit on the memory of all arriving bodies together.
@Suite(.timeLimit(.minutes(5)))
struct ArrivingBytesTests {
    /// A sink that waits at the gate when it has received the head or a number of bytes.
    private struct HoldingSink: ByteSink {
        let gate: Gate
        /// The number of bytes to wait after; nil for the head.
        let heldByteCount: Int?
        let pieces = CollectingSink()

        func begin(_ head: LoadHead) async throws {
            try await pieces.begin(head)
            if heldByteCount == nil { try await gate.pass() }
        }

        func write(_ chunk: Data) async throws {
            try await pieces.write(chunk)
            if pieces.data.count == heldByteCount { try await gate.pass() }
        }
    }

    /// A sink that refuses the piece that reaches a number of bytes.
    private struct RefusingSink: ByteSink {
        let byteCount: Int
        let pieces = CollectingSink()

        func begin(_ head: LoadHead) async throws {}

        func write(_ chunk: Data) async throws {
            try await pieces.write(chunk)
            if pieces.data.count == byteCount { throw Refusal() }
        }
    }

    /// The ways in which a load that has taken all the room ends.
    enum Ending: CaseIterable {
        case success, cancelling, failure, refusal
    }

    private struct Refusal: Error {}

    private static let free = BodyBudget.freeByteCount
    /// A limit with room for one body of `large` bytes.
    private static let limit: ImageContext = [.maxArrivingBytes(1 << 20)]
    private static let large = Data(count: free + (1 << 20))

    private let server: ScriptedServer
    private let loader = CurlImageLoader()
    private let gate = Gate()

    init() throws {
        server = try ScriptedServer()
        server.answer("/large", with: .bytes(Self.large))
        server.answer("/small", with: .bytes(Data(count: Self.free)))
    }

    /// Starts a load, and returns when it waits at the gate.
    private func hold(
        _ path: String, at byteCount: Int?, _ context: ImageContext = Self.limit
    ) async -> Task<LoadOutcome, any Error> {
        let sink = HoldingSink(gate: gate, heldByteCount: byteCount)
        let request = LoadRequest(url: server.url(path), context: ResolvedContext(.patient.merging(context)))
        let load = Task { [loader] in try await loader.load(request, into: sink) }
        await gate.waitForArrivals(1)
        return load
    }

    private func expectNoRoom(for path: String, _ context: ImageContext = Self.limit) async throws {
        let error = try #require(await imageError { try await loader.fetch(server.url(path), context) })
        #expect(error.code == .limitExceeded)
        #expect(error.stage == .load)
        #expect(error.isTransient)
        #expect(error.message.contains("no room"), "\(error)")
        #expect(error.advice?.contains("maxArrivingBytes") == true)
    }

    @Test func `a body without room fails, while small ones are served`() async throws {
        let stall = BlockingGate()
        defer { stall.open() }
        server.answer("/announced", with: .bytes(Self.large).stalled(after: 0, at: stall))
        server.answer("/chunked", with: .chunked([Self.large]))
        server.answer("/unknown", with: .unknownLength(Self.large))
        let holder = await hold("/large", at: Self.large.count)
        // The first of them is refused before its first byte.
        for path in ["/announced", "/chunked", "/unknown", "/large"] { try await expectNoRoom(for: path) }
        for _ in 0..<20 {
            #expect(try await loader.fetch(server.url("/small"), Self.limit).data.count == Self.free)
        }
        gate.open()
        _ = try await holder.value
        for path in ["/chunked", "/unknown", "/large"] {
            #expect(try await loader.fetch(server.url(path), Self.limit).data == Self.large)
        }
    }

    @Test func `small bodies are served while a stalled body takes all the room`() async throws {
        let stall = BlockingGate()
        server.answer("/stalled", with: .bytes(Self.large).stalled(after: Self.large.count - 1, at: stall))
        let holder = await hold("/stalled", at: Self.large.count - 1)
        gate.open()
        try await expectNoRoom(for: "/large")
        for _ in 0..<20 {
            #expect(try await loader.fetch(server.url("/small"), Self.limit).data.count == Self.free)
        }
        stall.open()
        _ = try await holder.value
    }

    @Test(arguments: Ending.allCases)
    func `room is released at the end of a load, whatever its outcome`(ending: Ending) async throws {
        switch ending {
        case .success:
            #expect(try await loader.fetch(server.url("/large"), Self.limit).data == Self.large)
        case .cancelling:
            let holder = await hold("/large", at: Self.large.count)
            holder.cancel()
            await #expect(throws: CancellationError.self) { try await holder.value }
        case .failure:
            server.answer("/cut", with: .bytes(Self.large).cut(after: Self.large.count - 1))
            let error = await imageError { try await loader.fetch(server.url("/cut"), Self.limit) }
            #expect(error?.code == .incomplete)
        case .refusal:
            let refuser = RefusingSink(byteCount: Self.large.count)
            let request = LoadRequest(
                url: server.url("/large"), context: ResolvedContext(.patient.merging(Self.limit)))
            await #expect(throws: Refusal.self) { try await loader.load(request, into: refuser) }
        }
        #expect(try await loader.fetch(server.url("/large"), Self.limit).data == Self.large)
    }

    @Test func `an announced length takes no room`() async throws {
        let stall = BlockingGate()
        server.answer("/stalled", with: .bytes(Self.large).stalled(after: 0, at: stall))
        let claimant = await hold("/stalled", at: nil)
        #expect(try await loader.fetch(server.url("/large"), Self.limit).data == Self.large)
        gate.open()
        stall.open()
        _ = try await claimant.value
    }

    @Test func `a body that alone exceeds the limit is not retried`() async throws {
        let stall = BlockingGate()
        defer { stall.open() }
        let body = Data(count: Self.large.count + 1)
        server.answer("/announced", with: .bytes(body).stalled(after: 0, at: stall))
        server.answer("/endless", with: .endlessBody(repeating: Data(count: 10_000)))
        server.answer("/chunked", with: .chunked([body]))
        for path in ["/announced", "/endless", "/chunked"] {
            let error = try #require(await imageError { try await loader.fetch(server.url(path), Self.limit) })
            #expect(error.code == .limitExceeded)
            #expect(!error.isTransient)
            #expect(error.advice?.contains("maxArrivingBytes") == true)
        }
        #expect(try await loader.fetch(server.url("/large"), Self.limit).data == Self.large)
    }

    @Test func `requests without a limit are served, and counted`() async throws {
        let holder = await hold("/large", at: Self.large.count, [])
        #expect(try await loader.fetch(server.url("/large")).data == Self.large)
        try await expectNoRoom(for: "/large")
        gate.open()
        _ = try await holder.value
        #expect(try await loader.fetch(server.url("/large"), Self.limit).data == Self.large)
    }

    @Test func `a manager reports the failure and stores nothing`() async throws {
        #expect(ResolvedContext(.server)[.maxArrivingBytes] == 512 << 20)
        let bench = try HTTPBench(context: Self.limit)
        let file = try RawImageCoder.blankFile(width: 1000, height: 1000)
        server.answer("/picture.raw", with: .bytes(file))
        let error = try #require(await bench.failure(of: server.url("/picture.raw")))
        #expect(error.code == .limitExceeded)
        #expect(error.advice?.contains("maxArrivingBytes") == true)
        bench.expectNothingKept()
    }
}
#endif
