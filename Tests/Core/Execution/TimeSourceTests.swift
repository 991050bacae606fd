import Calotype
import CalotypeTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TimeSourceTests {
    // MARK: Durations

    static let durations: [(Duration, Double)] = [
        (.zero, 0), (.seconds(90), 90), (.milliseconds(1500), 1.5), (.seconds(-2.5), -2.5), (.nanoseconds(1), 1e-9),
        (.seconds(3_000_000_000), 3e9),
    ]

    @Test(arguments: TimeSourceTests.durations)
    func `a duration is converted to seconds and milliseconds`(duration: Duration, seconds: Double) {
        #expect(abs(duration.seconds - seconds) <= abs(seconds) * 1e-12)
        #expect(abs(duration.milliseconds - seconds * 1000) <= abs(seconds) * 1e-9)
    }

    // MARK: The system's clocks

    @Test func `the system's clock never goes back, and its copies agree`() {
        var last = SystemTime().now()
        for _ in 0..<1000 {
            let now = SystemTime().now()
            #expect(now >= last)
            last = now
        }
    }

    @Test func `the system's wall time equals that of Foundation`() {
        let difference = SystemTime().wallTime() - Date().timeIntervalSince1970
        #expect(abs(difference) < 60)
    }

    @Test func `the system calls back after the time, not before`() async {
        let time = SystemTime()
        let start = time.now()
        let end = await withCheckedContinuation { (continuation: CheckedContinuation<Duration, Never>) in
            time.after(.milliseconds(2)) { continuation.resume(returning: time.now()) }
        }
        #expect(end - start >= .milliseconds(2))
    }

    // MARK: The clock for tests

    @Test func `a manual clock stands still until it is advanced`() {
        let time = ManualTime(wallTime: 1000)
        #expect(time.now() == .zero)
        #expect(time.now() == .zero)
        #expect(time.wallTime() == 1000)
        time.advance(by: .seconds(2.5))
        #expect(time.now() == .seconds(2.5))
        #expect(time.wallTime() == 1002.5)
    }

    @Test func `a manual clock's wall time can be set alone, and fires no alarm`() {
        let time = ManualTime(wallTime: 1000)
        let calls = Lock(0)
        time.after(.seconds(10)) { calls.withLock { $0 += 1 } }
        time.moveWallTime(by: -400)
        #expect(time.wallTime() == 600)
        #expect(time.now() == .zero)
        time.moveWallTime(by: 4000)
        let count = calls.withLock { $0 }
        #expect(count == 0)
    }

    @Test func `a manual clock fires alarms in order, on time and once`() {
        let time = ManualTime()
        let calls = Lock<[String]>([])
        for (name, delay) in [("late", 5), ("early", 1), ("middle", 3)] {
            time.after(.seconds(delay)) { calls.withLock { $0.append(name) } }
        }
        func names() -> [String] { calls.withLock { $0 } }

        time.advance(by: .seconds(0.5))
        #expect(names().isEmpty)
        time.advance(by: .seconds(0.5))
        #expect(names() == ["early"])
        time.advance(by: .seconds(10))
        #expect(names() == ["early", "middle", "late"])
        time.advance(by: .seconds(10))
        #expect(names() == ["early", "middle", "late"])
    }

    @Test func `a manual clock measures a delay from the call`() {
        let time = ManualTime()
        let calls = Lock(0)
        time.advance(by: .seconds(100))
        time.after(.seconds(1)) {
            // A handler may schedule another one.
            time.after(.seconds(1)) { calls.withLock { $0 += 10 } }
            calls.withLock { $0 += 1 }
        }
        func count() -> Int { calls.withLock { $0 } }

        time.advance(by: .milliseconds(999))
        #expect(count() == 0)
        time.advance(by: .milliseconds(1))
        #expect(count() == 1)
        time.advance(by: .seconds(1))
        #expect(count() == 11)
    }
}
