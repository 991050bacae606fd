#if HTTP
import Calotype
import CalotypeTesting
import Testing

@testable import CalotypeHTTP

/// Transfers that have ended before their readers have taken all of them.
@Suite(.timeLimit(.minutes(5)))
struct HeldReaderTests {
    @Test(arguments: [false, true])
    func `no more are brought than may lie there while readers are held up, until they go on or are cancelled`(
        isCancelled: Bool
    ) async throws {
        let server = try ScriptedServer()
        let line = TaskLine()
        let body = Data(count: 100_000)
        server.answerOthers { _ in .bytes(body) }
        var configuration = CurlImageLoader.Configuration()
        configuration.maxConcurrentLoads = 2
        let loader = CurlImageLoader(configuration)
        // Given as much as may lie there that was taken before, and readers who stop at the first piece
        for _ in 0...CurlEngine.leftoverLimit / body.count {
            #expect(try await loader.fetch(server.url("/other")).data.count == body.count)
        }
        let held = Gate()
        let expected = CurlEngine.leftoverLimit / body.count + 2
        let loads = (0..<expected + 20).map { number in
            let request = LoadRequest(url: server.url("/\(number)"), context: ResolvedContext(.patient))
            return line.start {
                let sink = CollectingSink(gate: held)
                _ = try await loader.load(request, into: sink)
                return sink.data.count
            }
        }
        await held.waitForArrivals(expected)
        // Then nothing more comes for them, while much does for others
        let other = CurlImageLoader()
        for _ in 0..<50 { #expect(try await other.fetch(server.url("/other")).data.count == body.count) }
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
        for load in loads.dropFirst(isCancelled ? expected : 0) { #expect(try await load.value == body.count) }
    }
}
#endif
