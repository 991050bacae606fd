#if HTTP
import Calotype
import CalotypeHTTP
import CalotypeTesting
import Testing

/// Bytes are received no faster than they are consumed.
@Suite(.timeLimit(.minutes(5)))
struct BackPressureTests {
    private let server: ScriptedServer

    init() throws { server = try ScriptedServer(sendBufferSize: 64 << 10) }

    /// The number of bytes that the loader and the system may buffer; the system alone up to 6 MiB on both sides.
    private static let ahead = 10 << 20

    @Test func `a picture that is too large is refused before most of it is sent`() async throws {
        let bench = try HTTPBench()
        let file = try RawImageCoder.blankFile(width: 2500, height: 2000)
        server.answer("/picture.raw", with: .bytes(file))
        let error = try #require(await bench.failure(of: server.url("/picture.raw"), [.maxPixels(1_000_000)]))
        #expect(error.code == .limitExceeded)
        await server.waitForAnswers(1)
        #expect(file.count > 20_000_000)
        #expect(server.bytesSent < Self.ahead)
        #expect(server.requests.first?.outcome == .abandoned)
        await server.waitForOpenConnections(atMost: 0)
        bench.expectNothingKept()
    }

    @Test func `a stopped reader applies back-pressure to the server, and delays no other load`() async throws {
        let body = Data((0..<(1 << 16)).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
        let whole = (0..<512).reduce(into: Data()) { whole, _ in whole.append(body) }
        server.answer("/large", with: .bytes(whole))
        server.answer("/small", with: .bytes(body))
        let loader = CurlImageLoader()
        let gate = Gate()
        let sink = CollectingSink(gate: gate)
        let request = LoadRequest(url: server.url("/large"), context: ResolvedContext(.patient))
        let slow = Task { try await loader.load(request, into: sink) }
        await gate.waitForArrivals(1)
        let taken = sink.data.count

        for _ in 0..<50 {
            #expect(try await loader.fetch(server.url("/small")).data == body)
        }
        let sent = try #require(server.requests.first { $0.path == "/large" }?.bytesSent)
        #expect(sent < Self.ahead, "of \(whole.count)")
        #expect(sink.data.count == taken, "a chunk is delivered only after the previous one was accepted")

        gate.open()
        _ = try await slow.value
        #expect(sink.data == whole)
        #expect(sink.metrics.first?.receivedByteCount == whole.count)
    }

    @Test func `a reader with pauses gets all bytes once and in order`() async throws {
        let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        let answers: [(ScriptedResponse, Data)] = [
            (.bytes(body), body), (.chunked([body, body]), body + body), (.unknownLength(body), body),
        ]
        for (response, expected) in answers {
            server.answer("/large", with: response)
            let gate = Gate()
            let sink = CollectingSink(gate: gate)
            let loader = CurlImageLoader()
            let request = LoadRequest(url: server.url("/large"), context: ResolvedContext(.patient))
            let load = Task { try await loader.load(request, into: sink) }
            for arrival in 1...6 {
                await gate.waitForArrivals(arrival)
                gate.open()
                gate.close()
            }
            gate.open()
            _ = try await load.value
            #expect(sink.data == expected)
        }
    }

    @Test(arguments: [false, true])
    func `the transfer timeout excludes the time a reader pauses, and includes the time after it`(
        goesSilent: Bool
    ) async throws {
        let (body, end) = (Data(count: 2 << 20), BlockingGate())
        defer { end.open() }
        let whole = ScriptedResponse.bytes(body)
        server.answer("/large", with: goesSilent ? whole.stalled(after: body.count / 2, at: end) : whole)
        server.answer("/silent", with: .silence)
        let loader = CurlImageLoader()
        let gate = Gate()
        let sink = CollectingSink(gate: gate)
        let context = ResolvedContext(.patient.merging([.transferTimeout(.seconds(6))]))
        let request = LoadRequest(url: server.url("/large"), context: context)
        let load = Task { try await loader.load(request, into: sink) }
        await gate.waitForArrivals(1)
        // The time is measured by the timeout of another loader.
        let late: ImageContext = [.transferTimeout(.seconds(7))]
        #expect(await imageError { try await CurlImageLoader().fetch(server.url("/silent"), late) }?.code == .timedOut)
        gate.open()
        let error = await imageError { try await load.value }
        let expected: ImageError.Code? = goesSilent ? .timedOut : nil
        #expect(error?.code == expected)
        #expect(sink.data.count == (goesSilent ? body.count / 2 : body.count))
    }

    @Test(arguments: [false, true])
    func `with all slots taken, a paused load continues, or frees its slot when cancelled`(
        isCancelled: Bool
    ) async throws {
        let (body, line) = (Data(count: 4 << 20), TaskLine())
        server.answer("/large", with: .bytes(body))
        server.answer("/small", with: .bytes(body.prefix(1000)))
        var configuration = CurlImageLoader.Configuration()
        configuration.maxConcurrentLoads = 1
        let loader = CurlImageLoader(configuration)
        let gate = Gate()
        let sink = CollectingSink(gate: gate)
        let request = LoadRequest(url: server.url("/large"), context: ResolvedContext(.patient))
        let url = server.url("/small")
        let slow = line.start { try await loader.load(request, into: sink) }
        await gate.waitForArrivals(1)
        let next = line.start { try await loader.fetch(url) }
        await line.settle()
        #expect(server.requestCount == 1)
        if isCancelled { slow.cancel() } else { gate.open() }
        #expect(try await next.value.data.count == 1000)
        guard !isCancelled else {
            await #expect(throws: CancellationError.self) { try await slow.value }
            return
        }
        _ = try await slow.value
        #expect(sink.data.count == body.count)
    }

    @Test func `a slow reader does not count as a slow server`() async throws {
        let body = Data(count: 8 << 20)
        server.answer("/large", with: .bytes(body))
        server.answer("/silent", with: .silence)
        let loader = CurlImageLoader()
        let gate = Gate()
        let sink = CollectingSink(gate: gate)
        let context = ResolvedContext([.lowSpeedLimit(1 << 20), .lowSpeedTime(.seconds(1))])
        let request = LoadRequest(url: server.url("/large"), context: context)
        let slow = Task { try await loader.load(request, into: sink) }
        await gate.waitForArrivals(1)
        // Meanwhile more time passes than the limit for a slow server.
        let late: ImageContext = [.transferTimeout(.milliseconds(2500))]
        #expect(await imageError { try await loader.fetch(server.url("/silent"), late) }?.code == .timedOut)
        gate.open()
        _ = try await slow.value
        #expect(sink.data.count == body.count)
    }
}
#endif
