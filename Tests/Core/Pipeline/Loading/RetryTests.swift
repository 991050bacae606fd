import CalotypeTesting
import Testing

@testable import Calotype

/// Loads that fail and are retried.
@Suite(.timeLimit(.minutes(5)))
struct RetryTests {
    private static let broken = ImageError(.connectionFailed, stage: .load, message: "the line is down")

    /// A clock that stands still until it is advanced, and records the waits that have begun.
    private final class WaitingTime: TimeSource {
        private let clock = ManualTime()
        private let begun = Lock<[Duration]>([])

        var delays: [Duration] { begun.withLock { $0 } }

        func now() -> Duration { clock.now() }
        func wallTime() -> Double { clock.wallTime() }
        func advance(by duration: Duration) { clock.advance(by: duration) }

        func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {
            clock.after(delay, body)
            begun.withLock { $0.append(delay) }
        }
    }

    /// A manager whose loader fails until it is repaired.
    private struct Line {
        let gate: Gate
        let loader: FakeImageLoader
        let listener = RecordingListener()
        let time = WaitingTime()
        let manager: ImageManager

        init(
            _ policy: RetryPolicy, failsWith error: ImageError = RetryTests.broken, after data: Data = Data(),
            isOpen: Bool = true, concurrency: Concurrency = Concurrency(), context: ImageContext = []
        ) {
            gate = Gate(isOpen: isOpen)
            loader = FakeImageLoader(answer: .bytes(RawImageCoder.file(width: 4, height: 3)), gate: gate)
            loader.answer(Bench.url.absoluteString, with: .failure(error, after: data))
            let cache = TieredCache(memory: nil, disk: InMemoryDataCache())
            let base: ImageContext = [.imageCache(cache), .eventListener(listener), .retryPolicy(policy)]
            manager = ImageManager(context: base.merging(context), concurrency: concurrency, time: time)
            manager.registry.loaders.add(loader)
            manager.registry.coders.add(RawImageCoder())
        }

        func load() -> ImageTask { manager.load(Bench.url) }

        /// Waits until the `count`th wait has begun.
        func waitForWaits(_ count: Int) async throws {
            try await waitUntil("\(count) waits have begun") { time.delays.count >= count }
        }

        func mend() {
            loader.answer(Bench.url.absoluteString, with: .bytes(RawImageCoder.file(width: 40, height: 30)))
        }
    }

    /// Returns a policy that always waits for the maximum delay.
    private static func policy(count: Int, maxDelay: Duration = .seconds(30)) -> RetryPolicy {
        RetryPolicy(count: count, firstDelay: .seconds(1), maxDelay: maxDelay, random: { $0.upperBound })
    }

    // MARK: Policies

    @Test func `delays grow by the factor up to the maximum, for the given number of retries`() {
        var policy = Self.policy(count: 6, maxDelay: .seconds(10))
        let waits = (1...7).map { policy.delay(beforeRetry: $0, after: Self.broken) }
        let expected: [Duration?] = [
            .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(10), .seconds(10), nil,
        ]
        #expect(waits == expected)
        policy.factor = 3
        #expect(policy.delay(beforeRetry: 3, after: Self.broken) == .seconds(9))
    }

    @Test func `a delay is random between zero and its maximum`() {
        let ranges = Lock<[ClosedRange<Double>]>([])
        let policy = RetryPolicy(count: 3, firstDelay: .seconds(2)) { range in
            ranges.withLock { $0.append(range) }
            return range.upperBound / 4
        } shouldRetry: { _ in
            true
        }
        #expect(policy.delay(beforeRetry: 1, after: Self.broken) == .milliseconds(500))
        #expect(policy.delay(beforeRetry: 2, after: Self.broken) == .seconds(1))
        let expected: [ClosedRange<Double>] = [0...2, 0...4]
        #expect(ranges.withLock { $0 } == expected)
    }

    @Test func `a nonsensical number still gives a valid delay`() throws {
        let numbers: [Double] = [Double.nan, -Double.infinity, -1, Double.infinity, 1e300]
        for number in numbers {
            let chosen = RetryPolicy(count: 9, firstDelay: .seconds(1), random: { _ in number })
            let wait = try #require(chosen.delay(beforeRetry: 2, after: Self.broken))
            #expect(wait >= .zero && wait <= .seconds(2), "\(number)")
            let grown = RetryPolicy(count: 9, firstDelay: .seconds(1), factor: number, random: { $0.upperBound })
            let longWait = try #require(grown.delay(beforeRetry: 3, after: Self.broken))
            #expect(longWait >= .zero && longWait <= .seconds(30), "\(number)")
            let below = RetryPolicy(
                count: 1, firstDelay: .seconds(-5), maxDelay: .seconds(-1), random: { _ in number })
            #expect(below.delay(beforeRetry: 1, after: Self.broken) == .zero, "\(number)")
        }
    }

    @Test func `Retry-After extends the delay, and ends retries if it exceeds the limit`() {
        var policy = Self.policy(count: 2)
        policy.maxRetryAfter = .seconds(60)
        func wait(_ time: Duration) -> Duration? {
            var error = Self.broken
            error.retryAfter = time
            return policy.delay(beforeRetry: 2, after: error)
        }
        #expect(wait(.seconds(1)) == .seconds(2), "the policy's own delay is longer")
        #expect(wait(.seconds(45)) == .seconds(45))
        #expect(wait(.seconds(60)) == .seconds(60))
        #expect(wait(.seconds(61)) == nil)
    }

    @Test func `a transient failure is tried again, unless it is declared lasting`() {
        let transient: Set<ImageError.Code> = [.connectionFailed, .hostNotFound, .timedOut, .incomplete]
        let lasting: Set<ImageError.Code> = [
            .notFound, .accessDenied, .addressRefused, .badStatus, .badData, .loadFailed, .limitExceeded,
            .untrustedConnection,
        ]
        let policy = Self.policy(count: 1)
        for code in transient.union(lasting) {
            var error = ImageError(code, stage: .load, message: "failed")
            #expect((policy.delay(beforeRetry: 1, after: error) != nil) == transient.contains(code), "\(code)")
            error.isTransient.toggle()
            #expect((policy.delay(beforeRetry: 1, after: error) != nil) == lasting.contains(code), "\(code)")
        }
        let busy = ImageError(.badStatus, stage: .load, message: "is busy", isTransient: true)
        #expect(policy.delay(beforeRetry: 1, after: busy) != nil)
    }

    @Test func `the policy's own rule decides, but a cancellation is never retried`() {
        let policy = RetryPolicy(count: 1, shouldRetry: { $0.code != .timedOut })
        #expect(policy.delay(beforeRetry: 1, after: ImageError(.badData, stage: .load, message: "")) != nil)
        #expect(policy.delay(beforeRetry: 1, after: ImageError(.timedOut, stage: .load, message: "")) == nil)
        #expect(policy.delay(beforeRetry: 1, after: .cancelled(stage: .load)) == nil)
    }

    @Test func `a retry policy is written as its number of retries`() throws {
        let key = ContextKey.retryPolicy.declaration
        #expect(try ImageContext([key.setting(from: "3")])[.retryPolicy]?.count == 3)
        #expect(try ImageContext([key.setting(from: "0")])[.retryPolicy]?.count == 0)
        #expect(try ImageContext([key.setting(from: "off")])[.retryPolicy]?.count == 0)
        #expect(throws: ImageError.self) { try key.setting(from: "-1") }
        #expect(throws: ImageError.self) { try key.setting(from: "often") }
    }

    // MARK: In the pipeline

    @Test func `a load that fails twice is retried after each delay, and both failures are reported`() async throws {
        let line = Line(Self.policy(count: 3))
        let task = line.load()
        try await line.waitForWaits(1)
        line.time.advance(by: .milliseconds(999))
        #expect(line.loader.loadCount == 1)
        line.time.advance(by: .milliseconds(1))
        try await line.waitForWaits(2)
        line.mend()
        line.time.advance(by: .seconds(2))
        #expect(try await task.response.image.width == 40)
        #expect(line.loader.loadCount == 3)
        #expect(line.time.delays == [.seconds(1), .seconds(2)])
        await line.manager.waitForEvents()
        #expect(line.listener.issues.map(\.code) == [.connectionFailed, .connectionFailed])
        #expect(line.listener.successes(of: .load).count == 1)
    }

    @Test func `the last failure is thrown`() async throws {
        let line = Line(Self.policy(count: 1))
        let task = line.load()
        try await line.waitForWaits(1)
        let last = ImageError(.timedOut, stage: .load, message: "the server does not respond")
        line.loader.answer(Bench.url.absoluteString, with: .failure(last))
        line.time.advance(by: .seconds(1))
        let error = await imageError { try await task.response }
        #expect(error?.code == .timedOut)
        #expect(line.loader.loadCount == 2)
        await line.manager.waitForEvents()
        #expect(line.listener.issues.map(\.code) == [.connectionFailed], "one for the failure before the retry")
    }

    @Test func `listeners get the delay of each retry`() async throws {
        let line = Line(Self.policy(count: 2))
        let task = line.load()
        try await line.waitForWaits(1)
        await line.manager.waitForEvents()
        func told() -> [PipelineEvent] { line.listener.events.filter { $0.retryDelay != nil } }
        #expect(told().map(\.retryDelay) == [.seconds(1)])
        #expect(told().first?.line == "load issue")
        #expect(told().first?.error?.code == .connectionFailed)
        line.time.advance(by: .seconds(1))
        try await line.waitForWaits(2)
        line.time.advance(by: .seconds(2))
        #expect(await imageError { try await task.response }?.code == .connectionFailed)
        await line.manager.waitForEvents()
        #expect(told().map(\.retryDelay) == [.seconds(1), .seconds(2)], "the last failure is not followed by a retry")
    }

    @Test func `without a policy, and after a lasting failure, nothing is retried`() async {
        let plain = Line(.never)
        #expect(await imageError { try await plain.load().response }?.code == .connectionFailed)
        #expect(plain.loader.loadCount == 1)
        let missing = Line(
            Self.policy(count: 3), failsWith: ImageError(.notFound, stage: .load, message: "is not there"))
        #expect(await imageError { try await missing.load().response }?.code == .notFound)
        #expect(missing.loader.loadCount == 1)
    }

    @Test func `a source that asks for a day is not waited for`() async {
        let busy = ImageError(
            .badStatus, stage: .load, message: "is busy", isTransient: true, retryAfter: .seconds(86_400))
        let line = Line(Self.policy(count: 3), failsWith: busy)
        let error = await imageError { try await line.load().response }
        #expect(error?.code == .badStatus)
        #expect(error?.retryAfter == .seconds(86_400))
        #expect(line.loader.loadCount == 1)
        #expect(line.time.delays.isEmpty)
    }

    @Test func `ten waiters of one load share one retry`() async throws {
        let line = Line(Self.policy(count: 1), isOpen: false)
        let requests = (1...10).map { ImageRequest(Bench.url, context: [.thumbnailPixelSize($0, $0)]) }
        let tasks = requests.map { line.manager.load($0) }
        try await line.manager.waitForWaiters(10, for: .original, of: requests[0])
        line.gate.open()
        try await line.waitForWaits(1)
        line.mend()
        line.time.advance(by: .seconds(1))
        for (index, task) in tasks.enumerated() { #expect(try await task.response.image.width == index + 1) }
        #expect(line.loader.loadCount == 2)
        #expect(line.time.delays.count == 1)
    }

    @Test func `cancelling during a delay ends the load at once, without a retry`() async throws {
        let line = Line(Self.policy(count: 1))
        let task = line.load()
        try await line.waitForWaits(1)
        task.cancel()
        #expect(await imageError { try await task.response }?.code == .cancelled)
        try await waitUntil("the manager is idle") { line.manager.isIdle }
        line.time.advance(by: .seconds(60))
        _ = try await line.manager.image(for: "fake://host/other.raw")
        #expect(line.loader.requests.filter { $0.url == Bench.url }.count == 1)
    }

    @Test func `a load that waits for its retry holds no slot`() async throws {
        let line = Line(Self.policy(count: 1), concurrency: Concurrency(loads: 1))
        let task = line.load()
        try await line.waitForWaits(1)
        #expect(try await line.manager.image(for: "fake://host/other.raw").width == 4)
        line.mend()
        line.time.advance(by: .seconds(1))
        #expect(try await task.response.image.width == 40)
    }

    @Test func `the timeout also applies during a delay`() async throws {
        let line = Line(Self.policy(count: 1), context: [.timeout(.milliseconds(500))])
        let task = line.load()
        // The first wait is the timeout itself.
        try await line.waitForWaits(2)
        line.time.advance(by: .milliseconds(500))
        #expect(await imageError { try await task.response }?.code == .timedOut)
        line.time.advance(by: .seconds(60))
        #expect(line.loader.loadCount == 1)
    }

    @Test func `progress restarts with a retry`() async throws {
        let line = Line(Self.policy(count: 1), after: Data(count: 100))
        let task = line.load()
        try await line.waitForWaits(1)
        var events = task.makeAsyncIterator()
        guard case .progress(let progress)? = try await events.next() else {
            Issue.record("expected a progress event")
            return
        }
        #expect(progress == LoadProgress(byteCount: 0))
        line.mend()
        line.time.advance(by: .seconds(1))
        #expect(try await task.response.image.width == 40)
    }
}
