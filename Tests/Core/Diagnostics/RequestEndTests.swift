import CalotypeTesting
import Dispatch
import Testing

@testable import Calotype

/// The state that must be visible together with the end of a request.
@Suite(.timeLimit(.minutes(5)))
struct RequestEndTests {
    /// A clock that blocks its readers from a certain moment on.
    private final class HeldTime: TimeSource {
        private let gate: BlockingGate
        private let isHeld = Lock(false)

        init(_ gate: BlockingGate) { self.gate = gate }

        func hold() { isHeld.withLock { $0 = true } }

        func now() -> Duration {
            if isHeld.withLock({ $0 }) { gate.pass() }
            return .zero
        }

        func wallTime() -> Double { 0 }
        func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {}
    }

    @Test func `a task is not finished before its end event can be sent`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let (time, counters, channels) = (HeldTime(gate), Counters(), EventChannels())
        let (listener, running) = (RecordingListener(), RunningTasks())
        let request = ImageRequest(Bench.url)
        let span = RequestSpan(
            request, listeners: Listeners([[.eventListener(listener)]], through: channels), counters: counters,
            time: time)
        let task = ImageTask(request: request, priority: .normal, span: span)
        task.enter(running)
        time.hold()
        DispatchQueue.global().async { task.cancel() }
        await gate.waitForArrivals(1)
        #expect(!task.isFinished)
        gate.open()
        let error = await imageError { try await task.response }
        #expect(error?.code == .cancelled)
        #expect(running.isEmpty)
        #expect(counters.snapshot(caches: CacheStatistics()).cancellations == 1)
        await channels.waitForEvents()
        #expect(listener.events.map(\.line) == ["request began", "request failed"])
    }

    @Test func `a finished task has been counted and removed, and its end event follows`() async throws {
        let bench = Bench(context: [.timeout(.seconds(30))])
        for number in 1...300 {
            let task = bench.manager.load(ImageRequest("fake://host/\(number).raw"))
            try await waitUntil("task \(number) has ended") { task.isFinished }
            #expect(!bench.manager.isRunning)
            #expect(bench.manager.deadlines.count == 0)
            #expect(bench.manager.statistics.inFlight == 0)
            #expect(bench.manager.statistics.loads == number)
            await bench.manager.waitForEvents()
            #expect(bench.listener.successes(of: .request).count == number)
        }
    }

    @Test func `a task cancelled and finished at the same time ends once`() async throws {
        let bench = Bench(context: [.timeout(.seconds(30))])
        let count = 300
        for number in 0..<count {
            let task = bench.manager.load(ImageRequest("fake://host/\(number).raw"))
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<3 { group.addTask { task.cancel() } }
            }
            #expect(task.isFinished)
        }
        await bench.manager.waitForEvents()
        let ends = bench.listener.events.filter { $0.stage == .request && $0.isEnd }
        #expect(ends.count == count)
        #expect(Set(ends.map(\.id)).count == count)
        #expect(bench.manager.statistics.inFlight == 0)
        #expect(bench.manager.tasks.isEmpty)
    }
}
