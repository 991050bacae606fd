import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct DeadlinesTests {
    /// A clock that stands still until it is advanced, and records the requested alarms.
    private final class WatchedTime: TimeSource {
        private let clock = ManualTime()
        private let asked = Lock<[Duration]>([])
        private let lags = Lock<[Duration]>([])
        private let hibernated = Lock(Duration.zero)

        /// The times of all alarms requested so far, by a clock that excludes sleep.
        var alarms: [Duration] { asked.withLock { $0 } }

        func now() -> Duration { clock.now() + hibernated.withLock { $0 } }
        func wallTime() -> Double { clock.wallTime() }
        /// The time for which the machine has been awake.
        var awakeTime: Duration { clock.now() }
        func advance(by duration: Duration) { clock.advance(by: duration) }

        /// Advances the time without advancing the alarms, like the sleep of a machine.
        func hibernate(for duration: Duration) { hibernated.withLock { $0 += duration } }

        /// Advances the time just before each of the next alarms is registered.
        func lag(by durations: Duration...) { lags.withLock { $0 = durations.reversed() } }

        func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {
            if let lag = lags.withLock({ $0.popLast() }) { clock.advance(by: lag) }
            asked.withLock { $0.append(clock.now() + delay) }
            clock.after(delay, body)
        }
    }

    /// A clock that fires alarms on command, before their time.
    private final class EarlyTime: TimeSource {
        private let bodies = Lock<[@Sendable () -> Void]>([])
        private let clock = Lock(Duration.zero)
        private let delay = Lock<Duration?>(nil)

        /// The delay of the alarm that was requested last.
        var lastDelay: Duration? { delay.withLock { $0 } }

        func now() -> Duration { clock.withLock { $0 } }
        func wallTime() -> Double { 0 }
        func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {
            self.delay.withLock { $0 = delay }
            bodies.withLock { $0.append(body) }
        }

        func ring(at time: Duration) {
            clock.withLock { $0 = time }
            let due = bodies.withLock { bodies in
                defer { bodies = [] }
                return bodies
            }
            for body in due { body() }
        }
    }

    /// The fired deadlines, in order.
    private final class Log: Sendable {
        private let state = Lock<[String]>([])
        var lines: [String] { state.withLock { $0 } }
        func note(_ line: String) { state.withLock { $0.append(line) } }
    }

    private let time = WatchedTime()
    private let log = Log()
    private let deadlines: Deadlines

    init() { deadlines = Deadlines(time: time) }

    @discardableResult
    private func add(_ name: String, after delay: Duration) -> Deadlines.Deadline {
        deadlines.add(after: delay) { [log] in log.note(name) }
    }

    // MARK: Times

    @Test func `each deadline fires at its time, and not before`() {
        add("late", after: .seconds(5))
        add("early", after: .seconds(1))
        add("middle", after: .seconds(3))
        time.advance(by: .milliseconds(999))
        #expect(log.lines.isEmpty)
        time.advance(by: .milliseconds(1))
        #expect(log.lines == ["early"])
        time.advance(by: .seconds(2))
        #expect(log.lines == ["early", "middle"])
        time.advance(by: .seconds(2))
        #expect(log.lines == ["early", "middle", "late"])
        time.advance(by: .seconds(100))
        #expect(log.lines.count == 3)
        #expect(deadlines.count + deadlines.alarmCount == 0)
    }

    @Test func `a large step of time fires all deadlines that it passes, in order`() {
        for second in [4, 2, 1, 3] { add("\(second)", after: .seconds(second)) }
        time.advance(by: .seconds(3.5))
        #expect(log.lines == ["1", "2", "3"])
        time.advance(by: .milliseconds(500))
        #expect(log.lines == ["1", "2", "3", "4"])
    }

    @Test func `an earlier deadline added later fires first, at its time`() {
        add("long", after: .seconds(6))
        time.advance(by: .seconds(1))
        add("short", after: .seconds(2))
        #expect(time.alarms == [.seconds(6), .seconds(3)])
        time.advance(by: .seconds(2))
        #expect(log.lines == ["short"])
        time.advance(by: .seconds(3))
        #expect(log.lines == ["short", "long"])
        #expect(time.alarms.count == 2, "the first alarm was still pending")
    }

    @Test func `a deadline without delay fires at once`() {
        add("now", after: .zero).cancel()
        add("before", after: .seconds(-1))
        #expect(log.lines == ["now", "before"])
        #expect(time.alarms.isEmpty)
        #expect(deadlines.count == 0)
    }

    @Test func `a handler may add another deadline`() {
        _ = deadlines.add(after: .seconds(1)) { [log, deadlines] in
            log.note("first")
            _ = deadlines.add(after: .seconds(1)) { log.note("second") }
        }
        time.advance(by: .seconds(1))
        #expect(log.lines == ["first"])
        time.advance(by: .seconds(1))
        #expect(log.lines == ["first", "second"])
    }

    @Test func `time that passes while an alarm is set is not lost`() {
        time.lag(by: .seconds(20))
        add("passed", after: .seconds(10))
        #expect(time.alarms == [.seconds(30), .seconds(20)], "the first alarm would fire too late")
        time.advance(by: .zero)
        #expect(log.lines == ["passed"])
        add("next", after: .seconds(3))
        time.advance(by: .seconds(3))
        #expect(log.lines == ["passed", "next"])
        time.advance(by: .seconds(7))
        #expect(log.lines.count == 2)
        #expect(deadlines.alarmCount == 0)
    }

    @Test func `an alarm that would be late because time passed while it was set is set again`() {
        time.lag(by: .seconds(5))
        add("a", after: .seconds(8))
        #expect(time.alarms == [.seconds(13), .seconds(8)])
        time.advance(by: .seconds(3))
        #expect(log.lines == ["a"])
        time.advance(by: .seconds(5))
        #expect(log.lines == ["a"])
        #expect(deadlines.count + deadlines.alarmCount == 0)
        // A small delay does not matter.
        time.lag(by: .milliseconds(2))
        add("b", after: .seconds(8))
        #expect(time.alarms.count == 3)
    }

    @Test func `an alarm is set at most twice if time passes on each attempt`() {
        time.lag(by: .seconds(1), .seconds(1), .seconds(1))
        add("a", after: .seconds(8))
        #expect(time.alarms == [.seconds(9), .seconds(9)])
        time.advance(by: .seconds(7))
        #expect(log.lines == ["a"])
        #expect(deadlines.count + deadlines.alarmCount == 0)
    }

    @Test func `an alarm for a distant deadline may be late, one for a near deadline may not`() {
        time.lag(by: .seconds(5))
        let far = add("far", after: .seconds(60))
        #expect(time.alarms == [.seconds(15)])
        far.cancel()
        time.advance(by: .seconds(10))
        time.lag(by: .seconds(5))
        add("near", after: .seconds(12))
        #expect(time.alarms == [.seconds(15), .seconds(30), .seconds(27)])
        time.advance(by: .seconds(7))
        #expect(log.lines == ["near"])
    }

    @Test func `an alarm that should have fired is not relied on`() {
        let first = add("first", after: .seconds(8))
        time.hibernate(for: .seconds(3600))
        first.cancel()
        add("second", after: .seconds(3))
        #expect(time.alarms == [.seconds(8), .seconds(3)])
        time.advance(by: .seconds(3))
        #expect(log.lines == ["second"])
        time.advance(by: .seconds(5))
        #expect(log.lines == ["second"])
        #expect(deadlines.count + deadlines.alarmCount == 0)
    }

    @Test func `overdue deadlines fire soon, but not on the thread that adds another`() {
        add("first", after: .seconds(6))
        add("last", after: .seconds(14))
        time.hibernate(for: .seconds(9))
        // Given a deadline whose alarm has not fired, when others are added
        add("third", after: .seconds(2))
        add("second", after: .seconds(1))
        add("at once", after: .zero)
        // Then the first does not fire here, and its new alarm fires at once
        #expect(log.lines == ["at once"])
        #expect(time.alarms == [.seconds(6), .zero])
        time.advance(by: .zero)
        #expect(log.lines == ["at once", "first"])
        // And the others fire at their times
        time.advance(by: .seconds(1))
        time.advance(by: .seconds(1))
        #expect(log.lines == ["at once", "first", "second", "third"])
        time.advance(by: .seconds(3))
        #expect(log.lines.last == "last")
        #expect(time.alarms == [.seconds(6), .zero, .seconds(1), .seconds(2), .seconds(5)])
        #expect(deadlines.count + deadlines.alarmCount == 0)
    }

    @Test func `an alarm that fires early by its own clock counts, and fires no other deadline`() {
        let time = EarlyTime()
        let deadlines = Deadlines(time: time)
        for second in [1, 2] { _ = deadlines.add(after: .seconds(second)) { [log] in log.note("\(second)") } }
        time.ring(at: .milliseconds(999))
        #expect(log.lines == ["1"])
        #expect(deadlines.alarmCount == 1)
        time.ring(at: .milliseconds(1999))
        #expect(log.lines == ["1", "2"])
    }

    @Test(arguments: [Duration.zero, .milliseconds(1)])
    func `a clock that barely advances reaches a distant deadline if it fires`(step: Duration) {
        let time = EarlyTime()
        let deadlines = Deadlines(time: time)
        _ = deadlines.add(after: .seconds(60)) { [log] in log.note("done") }
        for count in 1...5 { time.ring(at: step * count) }
        #expect(log.lines.isEmpty)
        time.ring(at: step * 6)
        #expect(log.lines == ["done"])
        #expect(deadlines.count + deadlines.alarmCount == 0)
    }

    @Test func `early alarms on the way to a distant deadline do not bring it forward`() throws {
        let time = EarlyTime()
        let deadlines = Deadlines(time: time)
        _ = deadlines.add(after: .seconds(60)) { [log] in log.note("done") }
        for _ in 0..<20 where log.lines.isEmpty {
            let delay = try #require(time.lastDelay)
            time.ring(at: time.now() + delay - .milliseconds(1))
        }
        #expect(log.lines == ["done"])
        #expect(time.now() >= .milliseconds(59_999))
    }

    // MARK: Distant deadlines

    @Test func `a deadline that relies on an earlier alarm is not late after a sleep`() {
        let done = Lock<[Duration]>([])
        let note = { @Sendable [time] in done.withLock { $0.append(time.now()) } }
        // Given a deadline during which the machine slept
        _ = deadlines.add(after: .seconds(100), note)
        time.advance(by: .seconds(10))
        time.hibernate(for: .seconds(30))
        time.advance(by: .seconds(5))
        // When another one is added that is due a little later
        _ = deadlines.add(after: .seconds(56), note)
        for _ in 0..<100 { time.advance(by: .seconds(1)) }
        // Then both fire at their times
        #expect(done.withLock { $0 } == [.seconds(100), .seconds(101)])
    }

    /// Returns the delay, in seconds of being awake, of a deadline of a minute on a machine that sleeps. Each sleep has
    /// a start, in seconds of being awake, and a length.
    private func lateness(sleeps: [(start: Int, length: Int)]) throws -> Int {
        let time = WatchedTime()
        let deadlines = Deadlines(time: time)
        let done = Lock<Int?>(nil)
        _ = deadlines.add(after: .seconds(60)) { [time] in done.withLock { $0 = Int(time.awakeTime.seconds) } }
        var due: Int?
        for second in 0..<120 {
            for sleep in sleeps where sleep.start == second { time.hibernate(for: .seconds(sleep.length)) }
            if due == nil, time.now() >= .seconds(60) { due = second }
            time.advance(by: .seconds(1))
        }
        let end = try #require(done.withLock { $0 })
        return end - (try #require(due))
    }

    @Test(arguments: [11, 29, 30, 31, 200, 100_000])
    func `however long a machine sleeps, a deadline is at most ten seconds late`(sleep: Int) throws {
        for start in 0..<60 {
            let lateness = try lateness(sleeps: [(start, sleep)])
            #expect((0...10).contains(lateness), "sleep after \(start) s")
        }
    }

    @Test(arguments: [8, 100_000])
    func `sleeping twice makes a deadline no later than sleeping once`(second: Int) throws {
        for start in stride(from: 0, to: 60, by: 3) {
            for end in start..<60 {
                let lateness = try lateness(sleeps: [(start, 8), (end, second)])
                #expect((0...10).contains(lateness), "sleeps after \(start) s and \(end) s")
            }
        }
    }

    @Test func `a distant deadline wakes the machine every ten seconds until it is cancelled`() {
        let deadline = add("far", after: .seconds(3600))
        for _ in 0..<600 { time.advance(by: .seconds(1)) }
        #expect(time.alarms.count == 61)
        #expect(deadlines.alarmCount == 1)
        deadline.cancel()
        for _ in 0..<600 { time.advance(by: .seconds(1)) }
        #expect(time.alarms.count == 61)
        #expect(deadlines.alarmCount == 0)
    }

    @Test func `ten thousand deadlines of a minute share the alarms of one`() {
        var most = 0
        for number in 0..<10_000 {
            add("\(number)", after: .seconds(60))
            time.advance(by: .milliseconds(5))
            most = max(most, deadlines.alarmCount)
        }
        #expect(deadlines.count == 10_000)
        #expect(most == 1)
        #expect(time.alarms.count <= 6, "at most one alarm for each ten of the 50 seconds")
        time.advance(by: .seconds(60))
        #expect(log.lines.count == 10_000)
        #expect(deadlines.alarmCount == 0)
    }

    // MARK: Cancellation

    @Test func `a cancelled deadline does not fire, and releases its handler`() {
        final class Held: Sendable {}
        weak var held: Held?
        let deadline: Deadlines.Deadline
        do {
            let strong = Held()
            held = strong
            deadline = deadlines.add(after: .seconds(1)) { [log] in withExtendedLifetime(strong) { log.note("done") } }
        }
        add("other", after: .seconds(1))
        #expect(held != nil)
        deadline.cancel()
        #expect(held == nil)
        deadline.cancel()
        #expect(deadlines.count == 1)
        time.advance(by: .seconds(1))
        #expect(log.lines == ["other"])
    }

    @Test func `a deadline releases its handler after firing`() {
        final class Held: Sendable {}
        weak var held: Held?
        do {
            let strong = Held()
            held = strong
            _ = deadlines.add(after: .seconds(1)) { withExtendedLifetime(strong) {} }
        }
        time.advance(by: .seconds(1))
        #expect(held == nil)
    }

    @Test func `ten thousand cancelled deadlines leave a single alarm`() {
        for _ in 0..<10_000 {
            add("never", after: .seconds(30)).cancel()
            time.advance(by: .microseconds(1))
        }
        #expect(deadlines.count == 0)
        #expect(time.alarms == [Deadlines.reach])
        time.advance(by: .seconds(60))
        #expect(log.lines.isEmpty)
        #expect(time.alarms.count == 1, "no deadline needed another alarm")
        #expect(deadlines.alarmCount == 0)
    }

    @Test func `after an alarm without a deadline there is another for the rest`() {
        let first = add("first", after: .seconds(6))
        time.advance(by: .seconds(2))
        add("second", after: .seconds(6))
        first.cancel()
        #expect(time.alarms == [.seconds(6)])
        time.advance(by: .seconds(4))
        #expect(log.lines.isEmpty)
        #expect(time.alarms == [.seconds(6), .seconds(8)])
        time.advance(by: .seconds(2))
        #expect(log.lines == ["second"])
    }

    @Test func `deadlines with the same delay never have more than one alarm`() {
        var most = 0
        for number in 0..<1000 {
            add("\(number)", after: .seconds(5))
            time.advance(by: .milliseconds(100))
            most = max(most, deadlines.alarmCount)
        }
        #expect(most == 1)
        #expect(log.lines == (0..<951).map { "\($0)" })
    }

    @Test func `a deadline cancelled while it is due fires once or not at all`() async {
        let done = Lock([Int](repeating: 0, count: 2000))
        let held = (0..<2000).map { index in
            deadlines.add(after: .seconds(1)) { done.withLock { $0[index] += 1 } }
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [time] in time.advance(by: .seconds(2)) }
            group.addTask { for deadline in held { deadline.cancel() } }
            group.addTask { for deadline in held.reversed() { deadline.cancel() } }
        }
        let counts = done.withLock { $0 }
        #expect(counts.allSatisfy { $0 <= 1 })
        time.advance(by: .seconds(2))
        #expect(done.withLock { $0 } == counts)
        #expect(deadlines.count == 0)
        #expect(deadlines.alarmCount == 0)
    }

    @Test func `deadlines added from many threads while time advances all fire once`() async {
        let done = Lock<[Int: Int]>([:])
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask { [deadlines] in
                    for number in 0..<250 {
                        let name = worker * 1000 + number
                        _ = deadlines.add(after: .milliseconds(1 + (number * 37) % 100)) {
                            done.withLock { $0[name, default: 0] += 1 }
                        }
                    }
                }
            }
            group.addTask { [time] in for _ in 0..<200 { time.advance(by: .milliseconds(1)) } }
        }
        // Alarms that were requested while the time advanced may fire later by that time.
        time.advance(by: .seconds(10))
        #expect(done.withLock { $0.count } == 2000)
        #expect(done.withLock { $0.values.allSatisfy { $0 == 1 } })
        #expect(deadlines.count == 0)
    }

    @Test func `an alarm retains nothing`() {
        let time = ManualTime()
        weak var kept: Deadlines?
        do {
            let deadlines = Deadlines(time: time)
            kept = deadlines
            _ = deadlines.add(after: .seconds(1)) { [log] in log.note("done") }
        }
        #expect(kept == nil)
        time.advance(by: .seconds(2))
        #expect(log.lines.isEmpty)
    }

    // MARK: In a manager

    @Test func `finished requests leave one alarm and no deadline`() async throws {
        let bench = Bench(isOpen: false, context: [.timeout(.seconds(30))])
        let tasks = (0..<1000).map { bench.manager.load(ImageRequest("fake://host/\($0).raw")) }
        #expect(bench.manager.deadlines.count == 1000)
        #expect(bench.manager.deadlines.alarmCount == 1)
        for task in tasks.dropFirst() { task.cancel() }
        #expect(bench.manager.deadlines.count == 1)
        bench.gate.open()
        _ = try await tasks[0].response
        #expect(bench.manager.deadlines.count == 0)
        #expect(bench.manager.deadlines.alarmCount == 1)
    }

    @Test func `each request ends at its own time`() async {
        let bench = Bench(isOpen: false)
        let tasks = [3, 1, 2].map { bench.manager.load(bench.request([.timeout(.seconds($0))])) }
        var ended: [[Bool]] = []
        for _ in 0..<3 {
            bench.time.advance(by: .seconds(1))
            ended.append(tasks.map(\.isFinished))
        }
        #expect(ended == [[false, true, false], [false, true, true], [true, true, true]])
        for task in tasks { #expect(await imageError { try await task.response }?.code == .timedOut) }
    }

    @Test func `a request with a timeout of zero starts nothing`() async throws {
        let bench = Bench()
        for timeout in [Duration.zero, .seconds(-1)] {
            let request = bench.request([.timeout(timeout)])
            let task = bench.manager.load(request)
            #expect(task.isFinished)
            #expect(!bench.manager.isRunning)
            #expect(await imageError { try await task.response }?.code == .timedOut)
            #expect(await imageError { try await bench.manager.image(for: request) }?.code == .timedOut)
        }
        // A load that had started would have reached the loader before this.
        _ = try await bench.manager.image(for: "fake://host/other.raw")
        #expect(bench.loader.loadCount == 1)
        await bench.manager.waitForEvents()
        let own = bench.listener.events.filter { $0.requestID != nil && $0.subject == Bench.url.absoluteString }
        #expect(own.map(\.line) == Array(repeating: ["request began", "request failed"], count: 4).flatMap(\.self))
        #expect(bench.listener.events.count(where: { $0.line == "query began" }) == 1)
        #expect(bench.manager.deadlines.count == 0)
    }

    @Test func `a memory hit needs no time`() async throws {
        let bench = Bench()
        _ = try await bench.manager.image(for: bench.request())
        let response = try await bench.manager.response(for: bench.request([.timeout(.zero)]))
        #expect(response.source == .memory)
    }

    @Test func `a request whose processor sets a timeout of zero starts nothing afterward`() async throws {
        let bench = Bench()
        let tasks = (0..<20).map { number in
            bench.manager.load(
                ImageRequest(
                    "fake://host/\(number).raw", context: [.optionsProcessor(Patience(setting: .timeout(.zero)))]))
        }
        for task in tasks { #expect(await imageError { try await task.response }?.code == .timedOut) }
        _ = try await bench.manager.image(for: bench.request())
        #expect(bench.loader.requests.map(\.url) == [Bench.url])
        await bench.manager.waitForEvents()
        #expect(bench.listener.events.count(where: { $0.line == "resolve succeeded" }) == 20)
        #expect(bench.listener.events.count(where: { $0.line == "query began" }) == 1)
    }

    private struct Patience: OptionsProcessor {
        let setting: ContextSetting
        func process(_ context: ResolvedContext, for url: URL) throws -> ImageContext { [setting] }
    }

    @Test func `a processor can extend or remove the timeout of a request`() async throws {
        for setting in [ContextSetting.timeout(.seconds(60)), .off(.timeout)] {
            let bench = Bench(isOpen: false)
            let task = bench.manager.load(
                bench.request([.timeout(.seconds(1)), .optionsProcessor(Patience(setting: setting))]))
            await bench.gate.waitForArrivals(1)
            bench.time.advance(by: .seconds(30))
            #expect(!task.isFinished)
            bench.gate.open()
            _ = try await task.response
            #expect(bench.manager.deadlines.count == 0)
        }
    }
}
