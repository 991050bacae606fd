import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct SpanTests {
    /// A clock that counts its readings, and advances by a second at each.
    private final class CountingTime: TimeSource {
        private let looks = Lock(0)

        var lookCount: Int { looks.withLock { $0 } }

        func now() -> Duration {
            let count = looks.withLock { looks in
                looks += 1
                return looks
            }
            return .seconds(count)
        }

        func wallTime() -> Double { 0 }

        func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {}
    }

    private struct Broken: Error {}

    private let time = CountingTime()
    private let counters = Counters()
    private let listener = RecordingListener()
    private let channels = EventChannels()
    private let request = ImageRequest("fake://host/picture.raw")

    private var listeners: Listeners { Listeners([[.eventListener(listener)]], through: channels) }

    /// The events that the listener has received so far.
    private var events: [PipelineEvent] {
        get async {
            await channels.waitForEvents()
            return listener.events
        }
    }

    private func step(
        _ listeners: Listeners, _ stage: ImageError.Stage = .decode, subject: @autoclosure () -> String = "a"
    ) -> StepSpan {
        StepSpan(
            stage, component: "Mine", subject: subject(), requestID: 7, listeners: listeners, counters: counters,
            time: time)
    }

    @Test func `without listeners a request does not read the clock`() {
        let span = RequestSpan(request, listeners: Listeners(), counters: counters, time: time)
        let result = Result<ImageResponse.Source, ImageError>.failure(.cancelled(stage: .load))
        #expect(span.endEvent(result) == nil)
        span.end(result, telling: nil)
        #expect(time.lookCount == 0)
        #expect(counters.snapshot(caches: CacheStatistics()).cancellations == 1)
    }

    @Test func `without listeners a step makes no text, and reads the clock only for its metrics`() {
        var textCount = 0
        func subject() -> String {
            textCount += 1
            return "a"
        }
        let done = step(Listeners(), subject: subject())
        #expect(done.end(byteCount: 3).duration == .seconds(1))
        step(Listeners(), subject: subject()).miss()
        #expect(time.lookCount == 4)
        step(Listeners(), subject: subject()).fail(Broken())
        #expect(time.lookCount == 5)
        step(Listeners(), subject: subject()).postpone()
        #expect(time.lookCount == 6)
        #expect(textCount == 0)
        let statistics = counters.snapshot(caches: CacheStatistics())
        #expect(statistics[.decode].latency.count == 2)
        #expect(statistics[.decode].failures == 1)
        #expect(statistics[.decode].running == 0)
    }

    @Test func `a listener gets the beginning and the end of a step`() async throws {
        let metrics = step(listeners).end(component: "Other", byteCount: 3)
        let events = await events
        try #require(events.map(\.line) == ["decode began", "decode succeeded"])
        #expect(events[0].id != nil)
        #expect(events[0].id == events[1].id)
        #expect(events.map(\.requestID) == [7, 7])
        #expect(events.map(\.component) == ["Mine", "Other"])
        #expect(events.map(\.subject) == ["a", "a"])
        #expect(events.map(\.duration) == [.zero, .seconds(1)])
        #expect(events.map(\.byteCount) == [nil, 3])
        #expect(metrics.component == "Other")
        #expect(metrics.duration == .seconds(1))
    }

    @Test func `a postponed step ends and begins again as a new one`() async throws {
        step(listeners).postpone()
        step(listeners).end()
        let events = await events
        try #require(
            events.map(\.line) == ["decode began", "decode postponed", "decode began", "decode succeeded"])
        #expect(events[0].id == events[1].id)
        #expect(events[1].duration == .seconds(1))
        #expect(events[2].id != events[0].id)
        let statistics = counters.snapshot(caches: CacheStatistics())
        #expect(statistics[.decode].postponements == 1)
        #expect(statistics[.decode].failures == 0)
        #expect(statistics[.decode].latency.count == 1)
    }

    private static let codes: [(ImageError.Stage, ImageError.Code)] = [
        (.resolve, .processorFailed), (.query, .cacheFailed), (.load, .loadFailed), (.decode, .badData),
        (.transform, .transformFailed), (.encode, .encodeFailed), (.store, .cacheFailed),
    ]

    @Test(arguments: codes)
    func `any thrown error is reported as an ImageError`(stage: ImageError.Stage, code: ImageError.Code) async throws {
        step(listeners, stage).fail(Broken(), byteCount: 5)
        step(listeners, stage).fail(CancellationError())
        let events = await events
        try #require(events.count == 4)
        #expect(events[1].line == "\(stage.rawValue) failed")
        #expect(events[1].error?.code == code)
        #expect(events[1].error?.stage == stage)
        #expect(events[1].error?.component == "Mine")
        #expect(events[1].error?.cause is Broken)
        #expect(events[1].byteCount == 5)
        #expect(events[3].error?.code == .cancelled)
        let statistics = counters.snapshot(caches: CacheStatistics())
        #expect(statistics[stage].failures == 1)
        #expect(statistics[stage].cancellations == 1)
    }
}
