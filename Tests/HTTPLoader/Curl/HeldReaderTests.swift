#if HTTP
import Calotype
import CalotypeTesting
import Testing

@testable import CalotypeHTTP

/// Transfers that end before their readers have consumed all bytes.
@Suite(.timeLimit(.minutes(5)))
struct HeldReaderTests {
    /// The part of a response that is large.
    enum Bulk: CaseIterable {
        case body
        case head

        /// The approximate size of that part.
        static let byteCount = 100_000

        var response: ScriptedResponse {
            switch self {
            case .body: return .bytes(Data(count: Self.byteCount))
            case .head:
                let field = ScriptedHeaders.Field(name: "X-Bulk", value: String(repeating: "x", count: 990))
                return .bytes(Data(), headers: ScriptedHeaders(Array(repeating: field, count: 100)))
            }
        }
    }

    /// A sink that waits after it has received the large part.
    private struct HeldSink: ByteSink {
        let gate: Gate
        let waitsAt: Bulk
        let pieces = CollectingSink()

        func begin(_ head: LoadHead) async throws {
            try await pieces.begin(head)
            if waitsAt == .head { try await gate.pass() }
        }

        func write(_ chunk: Data) async throws {
            try await pieces.write(chunk)
            if waitsAt == .body { try await gate.pass() }
        }
    }

    @Test(arguments: Bulk.allCases, [false, true])
    func `no more data is received than may be buffered while readers block, until they continue or are cancelled`(
        bulk: Bulk, isCancelled: Bool
    ) async throws {
        let server = try ScriptedServer()
        let line = TaskLine()
        let response = bulk.response
        let byteCount = bulk == .body ? Bulk.byteCount : 0
        server.answerOthers { _ in response }
        var configuration = CurlImageLoader.Configuration()
        configuration.maxConcurrentLoads = 2
        let loader = CurlImageLoader(configuration)
        // Given as many consumed bytes as the buffer may hold, and readers that block at the first piece
        for _ in 0...CurlEngine.leftoverLimit / Bulk.byteCount {
            #expect(try await loader.fetch(server.url("/other")).data.count == byteCount)
        }
        let held = Gate()
        let expected = CurlEngine.leftoverLimit / Bulk.byteCount + 2
        let loads = (0..<expected + 20).map { number in
            let request = LoadRequest(url: server.url("/\(number)"), context: ResolvedContext(.patient))
            return line.start {
                let sink = HeldSink(gate: held, waitsAt: bulk)
                _ = try await loader.load(request, into: sink)
                return sink.pieces.data.count
            }
        }
        await held.waitForArrivals(expected)
        // Then nothing more is received for them, while others receive much
        let other = CurlImageLoader()
        for _ in 0..<50 { #expect(try await other.fetch(server.url("/other")).data.count == byteCount) }
        #expect(server.requestCount - server.requestCount(of: "/other") == expected)
        // Until they continue or are cancelled
        if isCancelled {
            for load in loads.prefix(expected) { load.cancel() }
            await held.waitForArrivals(expected + 20)
        }
        held.open()
        for load in loads.prefix(isCancelled ? expected : 0) {
            await #expect(throws: CancellationError.self) { try await load.value }
        }
        for load in loads.dropFirst(isCancelled ? expected : 0) { #expect(try await load.value == byteCount) }
    }
}
#endif
