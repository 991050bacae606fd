import Calotype
import CalotypeTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PriorityTests {
    private func order(of bench: Bench) -> [String] {
        bench.loader.requests.map { $0.url.lastPathComponent }
    }

    private func load(_ name: String, _ bench: Bench, _ context: ImageContext = []) -> ImageTask {
        bench.manager.load(ImageRequest("fake://host/\(name)", context: context))
    }

    /// Returns a bench with one load at a time, and a task that holds the slot until the gate opens.
    private func crowdedBench() async -> (Bench, ImageTask) {
        let bench = Bench(isOpen: false, concurrency: Concurrency(loads: 1))
        let holder = load("holder", bench)
        await bench.gate.waitForArrivals(1)
        return (bench, holder)
    }

    /// Waits until the pipeline has a number of transfers, so that only the priority determines their order.
    private func waitForTransfers(_ count: Int, _ bench: Bench) async throws {
        try await waitUntil("\(count) transfers are running or waiting") { bench.manager.transferCount >= count }
    }

    @Test func `urgent loads start first, equal ones in order of arrival`() async throws {
        let (bench, holder) = await crowdedBench()
        var tasks: [ImageTask] = []
        for (name, priority) in [("low", Priority.low), ("one", .normal), ("two", .normal), ("high", .high)] {
            tasks.append(load(name, bench, [.priority(priority)]))
            try await waitForTransfers(tasks.count + 1, bench)
            try await waitForWaiting(tasks.count, bench)
        }
        bench.gate.open()
        for task in tasks + [holder] { _ = try await task.response }
        #expect(order(of: bench) == ["holder", "high", "one", "two", "low"])
    }

    @Test func `a load of low priority starts first once an urgent one joins it`() async throws {
        let (bench, holder) = await crowdedBench()
        let low = load("joined", bench, [.priority(.low)])
        try await waitForWaiting(1, bench)
        let normal = load("normal", bench)
        try await waitForWaiting(2, bench)
        let high = load("joined", bench, [.priority(.high), .thumbnailPixelSize(3, 3)])
        try await waitForTransferPriority(.high, bench)
        bench.gate.open()
        for task in [holder, low, normal, high] { _ = try await task.response }
        #expect(order(of: bench) == ["holder", "joined", "normal"])
    }

    @Test func `raising the priority of a waiting task makes it start first`() async throws {
        let (bench, holder) = await crowdedBench()
        let one = load("one", bench)
        try await waitForWaiting(1, bench)
        let two = load("two", bench)
        try await waitForWaiting(2, bench)
        two.priority = .veryHigh
        #expect(two.priority == .veryHigh)
        bench.gate.open()
        for task in [holder, one, two] { _ = try await task.response }
        #expect(order(of: bench) == ["holder", "two", "one"])
    }

    @Test func `when the urgent task leaves, the rest has its former priority`() async throws {
        let (bench, holder) = await crowdedBench()
        let low = load("joined", bench, [.priority(.low)])
        try await waitForWaiting(1, bench)
        let normal = load("normal", bench)
        try await waitForWaiting(2, bench)
        let high = load("joined", bench, [.priority(.high), .thumbnailPixelSize(3, 3)])
        try await waitForTransferPriority(.high, bench)
        high.cancel()
        try await waitForTransferPriority(.normal, bench)
        bench.gate.open()
        for task in [holder, low, normal] { _ = try await task.response }
        #expect(order(of: bench) == ["holder", "normal", "joined"])
    }

    private func waitForWaiting(_ count: Int, _ bench: Bench) async throws {
        try await waitUntil("\(count) loads wait for a slot") { bench.manager.waitingLoadCount >= count }
    }

    /// Waits until the highest priority of a waiting load is this one.
    private func waitForTransferPriority(_ priority: Priority, _ bench: Bench) async throws {
        try await waitUntil("the highest waiting priority is \(priority)") {
            bench.manager.highestWaitingPriority == priority
        }
    }
}
