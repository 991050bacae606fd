#if HTTP
import Calotype
import CalotypeTesting
import Testing

@testable import CalotypeHTTP

/// Transfers that have ended before their readers have taken all of them.
@Suite(.timeLimit(.minutes(5)))
struct HeldReaderTests {
    /// What there is much of in an answer.
    enum Bulk: CaseIterable {
        case body
        case head

        /// How much there is, or a few bytes less.
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

    /// Takes a head and pieces, and waits when it has taken one of them.
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
        // Given as much as may lie there that was taken before, and readers who stop at the first piece
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
        // Then nothing more comes for them, while much does for others
        let other = CurlImageLoader()
        for _ in 0..<50 { #expect(try await other.fetch(server.url("/other")).data.count == byteCount) }
        #expect(server.requestCount - server.requestCount(of: "/other") == expected)
        // Until they go on, or make way
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
