import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct WorkTableTests {
    private struct Failure: Error, Equatable {
        let number: Int
    }

    /// A waiter that records its reports.
    private final class Listener: Waiter {
        let requestID: UInt64? = nil
        let demand: Demand
        private let noted = Watched<[Int]>([])

        init(priority: Priority = .normal) { demand = Demand(priority) }

        func report(_ report: WorkReport) {
            if let progress = report.progress { noted.withLock { $0.append(progress.byteCount) } }
        }

        /// The reported byte counts.
        var reports: [Int] { noted.withLock { $0 } }

        /// Waits for a number of reports. Work that reports when it starts thus reveals its waiters.
        func waitForReports(_ count: Int) async { await noted.wait { $0.count >= count } }
    }

    private func report(_ byteCount: Int) -> WorkReport {
        WorkReport(progress: LoadProgress(byteCount: byteCount))
    }

    private func failure<Result>(of body: () async throws -> Result) async -> (any Error)? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error
        }
    }

    // MARK: Sharing

    @Test func `work requested ten times at once runs once`() async throws {
        let table = WorkTable<String, Int>()
        let gate = Gate()
        let starts = Lock(0)
        let begun = report(1)
        let listeners = (0..<10).map { _ in Listener() }
        let tasks = listeners.map { listener in
            Task {
                try await table.value(for: "a", waiter: listener) { waiter in
                    starts.withLock { $0 += 1 }
                    waiter.report(begun)
                    try await gate.pass()
                    return 42
                }
            }
        }
        for listener in listeners { await listener.waitForReports(1) }
        #expect(table.count == 1)
        gate.open()
        for task in tasks { #expect(try await task.value == 42) }
        let startCount = starts.withLock { $0 }
        #expect(startCount == 1)
        #expect(table.count == 0)
        #expect(listeners.allSatisfy { $0.reports == [1] })
    }

    @Test func `failing work fails for all waiters, and the next one starts it again`() async throws {
        let table = WorkTable<String, Int>()
        let gate = Gate()
        let begun = report(1)
        let listeners = (0..<3).map { _ in Listener() }
        let tasks = listeners.map { listener in
            Task {
                try await table.value(for: "a", waiter: listener) { waiter in
                    waiter.report(begun)
                    try await gate.pass()
                    throw Failure(number: 1)
                }
            }
        }
        for listener in listeners { await listener.waitForReports(1) }
        gate.open()
        for task in tasks {
            let error = await failure { try await task.value }
            #expect(error as? Failure == Failure(number: 1))
        }
        #expect(table.count == 0)
        let value = try await table.value(for: "a", waiter: Listener()) { _ in 2 }
        #expect(value == 2)
    }

    @Test func `different keys start different work`() async throws {
        let table = WorkTable<String, String>()
        let gate = Gate()
        let tasks = ["a", "b"].map { key in
            Task {
                try await table.value(for: key, waiter: Listener()) { _ in
                    try await gate.pass()
                    return key
                }
            }
        }
        await gate.waitForArrivals(2)
        #expect(table.count == 2)
        gate.open()
        #expect(try await tasks[0].value == "a")
        #expect(try await tasks[1].value == "b")
    }

    // MARK: Reports

    @Test func `a late waiter gets the latest report, and then all further ones`() async throws {
        let table = WorkTable<String, Int>()
        let gate = Gate()
        let reports = (1...4).map(report)
        let work: @Sendable (any Waiter) async throws -> Int = { waiter in
            for report in reports.prefix(3) { waiter.report(report) }
            try await gate.pass()
            waiter.report(reports[3])
            return 0
        }
        let (early, late) = (Listener(), Listener())
        let first = Task { try await table.value(for: "a", waiter: early, body: work) }
        await early.waitForReports(3)
        let second = Task { try await table.value(for: "a", waiter: late, body: work) }
        await late.waitForReports(1)
        #expect(late.reports == [3])
        gate.open()
        _ = try await (first.value, second.value)
        #expect(early.reports == [1, 2, 3, 4])
        #expect(late.reports == [3, 4])
    }

    // MARK: Leaving

    @Test func `work is cancelled when its last waiter leaves, not before`() async throws {
        let table = WorkTable<String, Int>()
        let gate = Gate()
        let cancels = Lock(0)
        let begun = report(1)
        let work: @Sendable (any Waiter) async throws -> Int = { waiter in
            waiter.report(begun)
            try await withTaskCancellationHandler {
                try await gate.pass()
            } onCancel: {
                cancels.withLock { $0 += 1 }
            }
            return 0
        }
        func cancelCount() -> Int { cancels.withLock { $0 } }

        let listeners = [Listener(), Listener()]
        let tasks = listeners.map { listener in
            Task { try await table.value(for: "a", waiter: listener, body: work) }
        }
        for listener in listeners { await listener.waitForReports(1) }
        tasks[0].cancel()
        let error = await failure { try await tasks[0].value }
        #expect(error is CancellationError)
        #expect(table.count == 1)
        #expect(cancelCount() == 0)

        tasks[1].cancel()
        let lastError = await failure { try await tasks[1].value }
        #expect(lastError is CancellationError)
        #expect(table.count == 0)
        try await waitUntil("the work is cancelled") { cancelCount() > 0 }
    }

    @Test func `a waiter can leave at once, whatever the work is doing`() async throws {
        let table = WorkTable<String, Int>()
        // This wait ignores cancellation.
        let result = OneShot<Int>()
        let (staying, leaving) = (Listener(), Listener())
        let begun = report(1)
        let work: @Sendable (any Waiter) async throws -> Int = { waiter in
            waiter.report(begun)
            return try await result.value()
        }
        let first = Task { try await table.value(for: "a", waiter: staying, body: work) }
        let second = Task { try await table.value(for: "a", waiter: leaving, body: work) }
        for listener in [staying, leaving] { await listener.waitForReports(1) }
        second.cancel()
        let error = await failure { try await second.value }
        #expect(error is CancellationError)
        result.resolve(.success(8))
        #expect(try await first.value == 8)
    }

    @Test func `a waiter after the last has left starts new work, apart from the old`() async throws {
        let table = WorkTable<String, Int>()
        let abandoned = OneShot<Int>()
        let (old, new) = (Listener(), Listener())
        let (begun, stray) = (report(1), report(99))
        let leaving = Task {
            try await table.value(for: "a", waiter: old) { waiter in
                waiter.report(begun)
                let value = try await abandoned.value()
                waiter.report(stray)
                return value
            }
        }
        await old.waitForReports(1)
        leaving.cancel()
        let error = await failure { try await leaving.value }
        #expect(error is CancellationError)
        #expect(table.count == 0)

        let gate = Gate()
        let staying = Task {
            try await table.value(for: "a", waiter: new) { waiter in
                waiter.report(begun)
                try await gate.pass()
                return 2
            }
        }
        await new.waitForReports(1)
        abandoned.resolve(.success(1))
        for _ in 0..<100 { await Task.yield() }
        #expect(table.count == 1)
        gate.open()
        #expect(try await staying.value == 2)
        #expect(new.reports == [1])
    }

    // MARK: Priorities

    @Test func `work has the priority of its most urgent waiter, and follows changes`() async throws {
        let table = WorkTable<String, Int>()
        let gate = Gate()
        let inside = Lock<(any Waiter)?>(nil)
        let begun = report(1)
        let work: @Sendable (any Waiter) async throws -> Int = { waiter in
            inside.withLock { $0 = waiter }
            waiter.report(begun)
            try await gate.pass()
            return 0
        }
        let (low, high) = (Listener(priority: .low), Listener(priority: .high))
        let first = Task { try await table.value(for: "a", waiter: low, body: work) }
        await low.waitForReports(1)
        let found = inside.withLock { $0 }
        let own = try #require(found)
        #expect(own.demand.priority == .low)

        let second = Task { try await table.value(for: "a", waiter: high, body: work) }
        try await waitUntil("the work has the priority of the second waiter") { own.demand.priority == .high }
        high.demand.priority = .normal
        #expect(own.demand.priority == .normal)
        low.demand.priority = .veryHigh
        #expect(own.demand.priority == .veryHigh)
        low.demand.priority = .veryLow
        #expect(own.demand.priority == .normal)

        second.cancel()
        _ = await failure { try await second.value }
        try await waitUntil("the work has the priority of the remaining waiter") { own.demand.priority == .veryLow }
        high.demand.priority = .veryHigh
        #expect(own.demand.priority == .veryLow, "a waiter that has left has no influence")
        gate.open()
        _ = try await first.value
    }
}
