import CalotypeTesting
import Dispatch
import Testing

@testable import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

@Suite(.timeLimit(.minutes(5)))
struct LaneTests {
    private struct Failure: Error, Equatable {
        let number: Int
    }

    /// Returns the error of `body`; nil if it throws none.
    private func failure<Result>(of body: () async throws -> Result) async -> (any Error)? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error
        }
    }

    private func waitForWaiting(_ count: Int, _ lane: Lane) async throws {
        try await waitUntil("\(count) bodies wait for the lane") { lane.waitingCount >= count }
    }

    /// Returns a lane with one thread, and a task that blocks it until the gate opens.
    private func crowdedLane(_ gate: BlockingGate) async -> (Lane, Task<Void, any Error>) {
        let lane = Lane(name: "t-crowded", width: 1)
        let holder = Task { try await lane.run { gate.pass() } }
        await gate.waitForArrivals(1)
        return (lane, holder)
    }

    // MARK: Running

    @Test func `the result or error of a body is returned`() async throws {
        let lane = Lane(name: "t-results", width: 2)
        let value = try await lane.run { 42 }
        #expect(value == 42)
        let error = await failure { try await lane.run { () throws -> Int in throw Failure(number: 7) } }
        #expect(error as? Failure == Failure(number: 7))
        let valueAfter = try await lane.run { "again" }
        #expect(valueAfter == "again")
    }

    @Test(arguments: [1, 3])
    func `a lane runs at most as many bodies at once as its width`(width: Int) async throws {
        let lane = Lane(name: "t-width", width: width)
        let gate = BlockingGate()
        let running = Lock((now: 0, most: 0))
        let tasks = (0..<width + 7).map { _ in
            Task {
                try await lane.run {
                    running.withLock { counts in
                        counts.now += 1
                        counts.most = max(counts.most, counts.now)
                    }
                    gate.pass()
                    running.withLock { $0.now -= 1 }
                }
            }
        }
        await gate.waitForArrivals(width)
        try await waitForWaiting(7, lane)
        let now = running.withLock { $0.now }
        #expect(now == width)
        gate.open()
        for task in tasks { try await task.value }
        let counts = running.withLock { $0 }
        #expect(counts.most == width)
        #expect(counts.now == 0)
        #expect(lane.waitingCount == 0)
    }

    @Test func `a full lane does not delay another`() async throws {
        let gate = BlockingGate()
        let (_, holder) = await crowdedLane(gate)
        let value = try await Lane(name: "t-other", width: 1).run { 1 }
        #expect(value == 1)
        gate.open()
        try await holder.value
    }

    // MARK: Priorities

    @Test func `urgent bodies run first, equal ones in order of arrival`() async throws {
        let gate = BlockingGate()
        let (lane, holder) = await crowdedLane(gate)
        let order = Lock<[String]>([])
        var tasks: [Task<Void, any Error>] = [holder]
        for (name, priority) in [("low", Priority.low), ("one", .normal), ("two", .normal), ("high", .high)] {
            tasks.append(Task { try await lane.run(priority: priority) { order.withLock { $0.append(name) } } })
            try await waitForWaiting(tasks.count - 1, lane)
        }
        gate.open()
        for task in tasks { try await task.value }
        let names = order.withLock { $0 }
        #expect(names == ["high", "one", "two", "low"])
    }

    @Test func `a body that becomes urgent while it waits runs first`() async throws {
        let gate = BlockingGate()
        let (lane, holder) = await crowdedLane(gate)
        let order = Lock<[String]>([])
        let demand = Demand(.low)
        let normal = Task { try await lane.run { order.withLock { $0.append("normal") } } }
        try await waitForWaiting(1, lane)
        let raised = Task {
            try await lane.run(for: demand, job: Job()) { _ in order.withLock { $0.append("raised") } }
        }
        try await waitForWaiting(2, lane)
        demand.priority = .veryHigh
        gate.open()
        for task in [holder, normal, raised] { try await task.value }
        let names = order.withLock { $0 }
        #expect(names == ["raised", "normal"])
    }

    // MARK: Cancellation

    @Test func `a body cancelled before it starts never runs`() async throws {
        let gate = BlockingGate()
        let (lane, holder) = await crowdedLane(gate)
        let hasRun = Lock(false)
        let task = Task { try await lane.run { hasRun.withLock { $0 = true } } }
        try await waitForWaiting(1, lane)
        task.cancel()
        let error = await failure { try await task.value }
        #expect(error is CancellationError)
        #expect(lane.waitingCount == 0)
        gate.open()
        try await holder.value
        // The only thread has passed the position of the cancelled body.
        try await lane.run {}
        let ran = hasRun.withLock { $0 }
        #expect(!ran)
    }

    @Test func `cancelling a running body returns at once, and the body runs to its end`() async throws {
        let lane = Lane(name: "t-left", width: 1)
        let gate = BlockingGate()
        let isDone = Lock(false)
        let sawCancelling = Lock(false)
        let job = Job()
        let task = Task {
            try await lane.run(for: Demand(.normal), job: job) { job in
                gate.pass()
                sawCancelling.withLock { $0 = job.isCancelled }
                isDone.withLock { $0 = true }
            }
        }
        await gate.waitForArrivals(1)
        task.cancel()
        let error = await failure { try await task.value }
        #expect(error is CancellationError)
        #expect(job.isCancelled)
        let wasDone = isDone.withLock { $0 }
        #expect(!wasDone)
        gate.open()
        try await lane.run {}
        let (done, saw) = (isDone.withLock { $0 }, sawCancelling.withLock { $0 })
        #expect(done)
        #expect(saw)
    }

    @Test func `a body can be cancelled as soon as it runs`() async throws {
        let isDone = DispatchSemaphore(value: 0)
        // The caller continues only after its body has ended.
        let lane = Lane(name: "t-early", width: 1) { (name, life) throws(ImageError) in
            try DetachedThread.start(name: name, life)
            isDone.wait()
        }
        let caller = Lock<Task<Void, any Error>?>(nil)
        let isKnown = DispatchSemaphore(value: 0)
        let sawCancelling = Lock(false)
        let task = Task {
            try await lane.run { (job: Job) -> Void in
                isKnown.wait()
                caller.withLock { $0 }?.cancel()
                sawCancelling.withLock { $0 = job.isCancelled }
                isDone.signal()
            }
        }
        caller.withLock { $0 = task }
        isKnown.signal()
        let error = await failure { try await task.value }
        #expect(error is CancellationError)
        let saw = sawCancelling.withLock { $0 }
        #expect(saw)
    }

    @Test func `a body gets a job that is cancelled with its task`() async throws {
        let lane = Lane(name: "t-job", width: 1)
        let gate = BlockingGate()
        let outcome = Lock<ImageError.Code?>(nil)
        let task = Task {
            try await lane.run(priority: .high) { (job: Job) -> Void in
                gate.pass()
                do throws(ImageError) {
                    try job.check()
                } catch {
                    outcome.withLock { $0 = error.code }
                }
            }
        }
        await gate.waitForArrivals(1)
        task.cancel()
        let error = await failure { try await task.value }
        #expect(error is CancellationError)
        gate.open()
        // The only thread has passed the point at which the job was checked.
        try await lane.run {}
        let code = outcome.withLock { $0 }
        #expect(code == .cancelled)
        let isCancelled = try await lane.run { (job: Job) -> Bool in job.isCancelled }
        #expect(!isCancelled)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `whatever is cancelled, every body runs at most once and its caller gets one result`(
        seed: UInt64
    ) async throws {
        var random = SplitMix64(seed: seed)
        let lane = Lane(name: "t-random", width: 3)
        let runs = Lock([Int](repeating: 0, count: 400))
        var tasks: [Task<Int, any Error>] = []
        for number in 0..<400 {
            let priority = Priority.allCases[Int.random(in: 0..<Priority.allCases.count, using: &random)]
            tasks.append(
                Task {
                    try await lane.run(priority: priority) {
                        runs.withLock { $0[number] += 1 }
                        return number
                    }
                })
            if Int.random(in: 0..<3, using: &random) == 0 { tasks.randomElement(using: &random)?.cancel() }
        }
        for (number, task) in tasks.enumerated() {
            let result = await task.result
            let count = runs.withLock { $0[number] }
            switch result {
            case .success(let value):
                #expect(value == number)
                #expect(count == 1)
            case .failure(let error):
                #expect(error is CancellationError)
                #expect(count <= 1)
            }
        }
        #expect(lane.waitingCount == 0)
    }

    // MARK: Threads

    /// Returns a lane whose thread creation fails after a number of threads.
    private func lane(width: Int, threadsLeft: Lock<Int>) -> Lane {
        Lane(name: "t-scarce", width: width) { (name, life) throws(ImageError) in
            let isRefused = threadsLeft.withLock { left in
                left -= 1
                return left < 0
            }
            if isRefused { throw ImageError.noThread(name, reason: "none left") }
            try DetachedThread.start(name: name, life)
        }
    }

    @Test func `without a thread work is refused, and runs once there is one`() async throws {
        let threadsLeft = Lock(0)
        let lane = lane(width: 2, threadsLeft: threadsLeft)
        for _ in 0..<3 {
            let error = await failure { try await lane.run { 1 } }
            #expect((error as? ImageError)?.code == .outOfThreads)
            #expect((error as? ImageError)?.isTransient == true)
            #expect(lane.waitingCount == 0)
        }
        threadsLeft.withLock { $0 = 1 }
        let value = try await lane.run { 1 }
        #expect(value == 1)
    }

    @Test func `work continues with the threads that exist`() async throws {
        let lane = lane(width: 4, threadsLeft: Lock(1))
        let gate = BlockingGate()
        let holder = Task { try await lane.run { gate.pass() } }
        await gate.waitForArrivals(1)
        let tasks = (0..<20).map { number in Task { try await lane.run { number } } }
        try await waitForWaiting(20, lane)
        gate.open()
        try await holder.value
        for (number, task) in tasks.enumerated() {
            let value = try await task.value
            #expect(value == number)
        }
    }

    @Test func `a caller that does not await is told that no thread is available`() {
        let lane = lane(width: 1, threadsLeft: Lock(0))
        let refusals = Lock<[ImageError.Code?]>([])
        let ticket = lane.start { refusal in refusals.withLock { $0.append(refusal?.code) } }
        let codes = refusals.withLock { $0 }
        #expect(codes == [.outOfThreads])
        #expect(!lane.withdraw(ticket))
    }

    @Test func `many bodies on many lanes all run`() async throws {
        let lanes = (0..<8).map { Lane(name: "t-many-\($0)", width: $0 % 3 + 1) }
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<2000 {
                let priority = Priority.allCases[number % Priority.allCases.count]
                group.addTask { try await lanes[number % lanes.count].run(priority: priority) { number } }
            }
            var sum = 0
            for try await number in group { sum += number }
            return sum
        }
        #expect(sum == 1999 * 1000)
        for lane in lanes { #expect(lane.waitingCount == 0) }
    }

    @Test func `idle threads wake for each new body`() async throws {
        let lane = Lane(name: "t-idle", width: 2)
        let counts = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    var count = 0
                    // One after another, so that threads run out of work all the time.
                    for _ in 0..<500 { count += (try? await lane.run { 1 }) ?? 0 }
                    return count
                }
            }
            var counts: [Int] = []
            for await count in group { counts.append(count) }
            return counts
        }
        #expect(counts == [500, 500, 500])
        #expect(lane.waitingCount == 0)
    }

    #if os(Linux)
    @Test func `bodies run on threads with the lane's name, at most as many as its width`() async throws {
        let lane = Lane(name: "t-named-at-length", width: 3)
        let threads = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<300 {
                group.addTask {
                    try await lane.run {
                        let name = try String(contentsOf: URL(filePath: "/proc/thread-self/comm"), encoding: .utf8)
                        return "\(pthread_self()) \(name)"
                    }
                }
            }
            var threads: Set<String> = []
            for try await thread in group { threads.insert(thread) }
            return threads
        }
        #expect((1...3).contains(threads.count))
        #expect(threads.allSatisfy { $0.hasSuffix(" t-named-at-leng\n") }, "\(threads)")
    }
    #endif
}
