import CalotypeTesting
import Dispatch
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct SuspendedSpanTests {
    private let time = ManualTime()
    private let counters = Counters()
    private let listener = RecordingListener()
    private let channels = EventChannels()

    private var statistics: StageStatistics { counters.snapshot(caches: CacheStatistics())[.decode] }

    /// The events that the listener has received so far.
    private var lines: [String] {
        get async {
            await channels.waitForEvents()
            return listener.events.map(\.line)
        }
    }

    private func step() -> StepSpan {
        StepSpan(
            .decode, component: "Mine", subject: "a", requestID: 7,
            listeners: Listeners([[.eventListener(listener)]], through: channels), counters: counters, time: time)
    }

    /// Returns a suspended span with a step.
    private func suspended() -> SuspendedSpan {
        let suspended = SuspendedSpan()
        suspended.put(step())
        return suspended
    }

    @Test func `a step that was taken is not stopped`() async throws {
        let suspended = self.suspended()
        let span = try #require(try suspended.take())
        suspended.stop()
        #expect(statistics.running == 1)
        #expect(statistics.cancellations == 0)
        span.end(byteCount: 3)
        #expect(await lines == ["decode began", "decode succeeded"])
        #expect(statistics.running == 0)
        #expect(statistics.cancellations == 0)
        #expect(statistics.latency.count == 1)
    }

    @Test func `a step that was not taken is stopped once`() async {
        let suspended = self.suspended()
        suspended.stop()
        suspended.stop()
        #expect(await lines == ["decode began", "decode failed"])
        #expect(statistics.running == 0)
        #expect(statistics.cancellations == 1)
        #expect(statistics.failures == 0)
        #expect(listener.events.last?.error?.code == .cancelled)
    }

    @Test(arguments: [false, true])
    func `taking a step after the last waiter left throws and creates none`(hasStep: Bool) async {
        let suspended = hasStep ? self.suspended() : SuspendedSpan()
        suspended.stop()
        for _ in 0..<2 { #expect(throws: CancellationError.self) { _ = try suspended.take() } }
        #expect(await lines == (hasStep ? ["decode began", "decode failed"] : []))
    }

    @Test func `a step can be taken once, and without a step there is none`() throws {
        let suspended = SuspendedSpan()
        #expect(try suspended.take() == nil)
        suspended.put(step())
        let span = try #require(try suspended.take())
        #expect(try suspended.take() == nil)
        span.end()
        suspended.stop()
        #expect(statistics.latency.count == 1)
        #expect(statistics.cancellations == 0)
    }

    @Test func `the time before a step is taken does not count`() async throws {
        let suspended = self.suspended()
        time.advance(by: .seconds(5))
        let span = try #require(try suspended.take())
        time.advance(by: .seconds(2))
        #expect(span.end().duration == .seconds(2))
        #expect(statistics.latency.total == .seconds(2))
        await channels.waitForEvents()
        #expect(Set(listener.events.map(\.id)).count == 1, "both events have the same step number")
    }

    @Test func `taking and stopping a step at the same time end it once`() async {
        let count = 2000
        let spans = (0..<count).map { _ in suspended() }
        let refusalCount = Lock(0)
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
            for suspended in spans {
                guard thread == 0 else {
                    suspended.stop()
                    continue
                }
                do {
                    try suspended.take()?.end()
                } catch {
                    refusalCount.withLock { $0 += 1 }
                }
            }
        }
        let statistics = statistics
        #expect(statistics.running == 0)
        #expect(statistics.latency.count + statistics.cancellations == count)
        #expect(statistics.cancellations == refusalCount.withLock { $0 })
    }
}
