import Calotype
import CalotypeTesting
import Testing

/// Listeners that never return, which nothing waits for.
@Suite(.timeLimit(.minutes(5)))
struct SlowListenerTests {
    /// More than there are threads for tasks, but within Dispatch's limit for blocking work.
    private static let count = min(Concurrency().decodes + 8, 64)

    private func request(_ number: Int, _ context: ImageContext = []) -> ImageRequest {
        ImageRequest("fake://host/\(number).raw", context: context)
    }

    @Test func `requests end even if their listeners block, and the manager's listener gets all events`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let bench = Bench()
        let tasks = (0..<Self.count).map { number in
            bench.manager.load(request(number, [.eventListener(HeldListener { _ in gate })]))
        }
        await gate.waitForArrivals(Self.count)
        for task in tasks { #expect(try await task.response.image.width == 40) }
        try await bench.listener.waitForEnds(Self.count, of: .request)
    }

    @Test func `requests end even if the manager's listener blocks, and their own get each event`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let bench = Bench(context: [.eventListener(HeldListener { _ in gate })])
        let heard = (0..<Self.count).map { _ in RecordingListener() }
        let tasks = heard.enumerated().map { number, listener in
            bench.manager.load(request(number, [.eventListener(listener)]))
        }
        await gate.waitForArrivals(1)
        for task in tasks { #expect(try await task.response.image.width == 40) }
        for listener in heard { try await listener.waitForEnds(1, of: .request) }
        #expect(bench.manager.cachedResponse(for: request(0)) != nil)
    }

    @Test func `cancelling returns even if a listener blocks`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let listener = HeldListener { if case .failed = $0.kind { gate } else { nil } }
        let bench = Bench(isOpen: false, context: [.eventListener(listener)])
        let tasks = (0..<Self.count).map { bench.manager.load(request($0)) }
        await bench.gate.waitForArrivals(1)
        for task in tasks {
            task.cancel()
            #expect(task.isFinished)
        }
        await gate.waitForArrivals(1)
        for task in tasks {
            let error = await imageError { try await task.response }
            #expect(error?.code == .cancelled)
        }
        bench.gate.open()
        #expect(try await bench.manager.image(for: bench.request()).width == 40)
        gate.open()
        try await listener.heard.waitForEnds(Self.count + 1, of: .request)
    }
}
