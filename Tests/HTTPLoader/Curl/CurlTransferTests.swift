#if HTTP
import Calotype
import Testing

@testable import CalotypeHTTP

/// The buffer between the loader's thread and the reader of a load.
@Suite(.timeLimit(.minutes(5)))
struct CurlTransferTests {
    private let transfer: CurlTransfer

    init() throws {
        let url = try #require(URL(string: "http://example.test/picture.raw"))
        transfer = CurlTransfer(
            try HTTPRequest(LoadRequest(url: url), defaults: HTTPHeaders()), priority: .normal,
            engine: CurlEngine(CurlImageLoader.Configuration()))
    }

    private static let chunks = [Data(count: 10 << 10), Data(count: CurlTransfer.chunkSize)]

    private static func head(status: Int = 200, lines: HeaderLines = HeaderLines()) -> ReceivedHead {
        ReceivedHead(
            answer: ResponseHead(status: status, contentLength: 5, lines: lines), isConfirmation: false,
            requestedAt: 1, receivedAt: 2)
    }

    /// Returns all events up to the end.
    private static func read(_ transfer: CurlTransfer) async throws -> [String] {
        var seen: [String] = []
        while true {
            switch try await transfer.next() {
            case .redirect(from: _, to: let target): seen.append("redirect \(target.url)")
            case .head(let head): seen.append("head \(head.answer.status)")
            case .chunk(let chunk): seen.append("chunk \(chunk.count)")
            case .end(.complete): return seen + ["end"]
            case .end: return seen + ["another end"]
            }
        }
    }

    @Test func `the data of one round is read in order, without further wake-ups`() async throws {
        #expect(transfer.put(Self.head(), Self.chunks[0]) == 10 << 10)
        #expect(transfer.put(nil, Self.chunks[1]) == 10 << 10 + CurlTransfer.chunkSize)
        #expect(transfer.end(.success(.complete)))
        #expect(
            try await Self.read(transfer) == ["head 200", "chunk 10240", "chunk \(CurlTransfer.chunkSize)", "end"])
    }

    @Test func `one wake-up is enough for all of it, whether or not its reader already waits`() async throws {
        for _ in 0..<100 {
            let transfer = try CurlTransferTests().transfer
            let reader = Task { try await Self.read(transfer) }
            await Task.yield()
            _ = transfer.put(Self.head(), Self.chunks[0])
            #expect(transfer.end(.success(.complete)))
            transfer.wake()
            #expect(try await reader.value == ["head 200", "chunk 10240", "end"])
        }
    }

    @Test func `a head without a body gives no chunk`() async throws {
        #expect(transfer.put(Self.head(status: 304), Data()) == 0)
        #expect(transfer.end(.success(.complete)))
        #expect(try await Self.read(transfer) == ["head 304", "end"])
    }

    @Test func `a redirect is delivered before everything else, and once`() async throws {
        let address = transfer.request.address
        transfer.ask(from: address, to: try address.following("/b"))
        #expect(transfer.end(.success(.complete)))
        #expect(try await Self.read(transfer) == ["redirect http://example.test/b", "end"])
    }

    @Test(arguments: [false, true])
    func `a head counts until its reader asks for the next item`(isTaken: Bool) async throws {
        let lines = HeaderLines([String(repeating: "x", count: CurlEngine.leftoverLimit) + "\r\n"])
        _ = transfer.put(Self.head(lines: lines), Data())
        if isTaken { _ = try await transfer.next() }
        #expect(!transfer.end(.success(.complete)), "the head exceeds the window, so the transfer keeps its slot")
        #expect(try await Self.read(transfer) == (isTaken ? ["end"] : ["head 200", "end"]))
    }

    @Test func `an error follows everything that was received before`() async throws {
        _ = transfer.put(Self.head(), Self.chunks[0])
        let error = ImageError(.incomplete, stage: .load, message: "ended")
        #expect(transfer.end(.failure(error)))
        guard case .head = try await transfer.next(), case .chunk = try await transfer.next() else {
            Issue.record("expected head and chunk first")
            return
        }
        #expect(await imageError { try await transfer.next() }?.code == .incomplete)
    }

    @Test(arguments: 0...2)
    func `a cancelled load gets none of the received data`(taken: Int) async throws {
        _ = transfer.put(Self.head(), Self.chunks[0])
        _ = transfer.put(nil, Self.chunks[1])
        #expect(transfer.end(.success(.complete)))
        for _ in 0..<taken { _ = try await transfer.next() }
        transfer.cancel()
        await #expect(throws: CancellationError.self) { try await transfer.next() }
        #expect(transfer.wantedPriority == nil)
    }

    @Test func `data received for a cancelled load is released`() async throws {
        #expect(transfer.wantedPriority == .normal)
        transfer.cancel()
        #expect(transfer.put(Self.head(), Self.chunks[0]) == 0)
        #expect(transfer.end(.success(.complete)))
        transfer.wake()
        await #expect(throws: CancellationError.self) { try await transfer.next() }
    }
}
#endif
