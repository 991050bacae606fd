import CalotypeTesting
import Testing

@testable import Calotype

/// The thread on which the work of a table starts.
@Suite(.timeLimit(.minutes(5)))
struct WorkTableStartingTests {
    private struct Failure: Error {}

    private let table = WorkTable<Int, Int>()
    private let window = CallWindow()

    private static func cancelThisTask() { withUnsafeCurrentTask { $0?.cancel() } }

    @Test(arguments: [true, false])
    func `work starts before its waiter suspends, unless forbidden`(startsHere: Bool) async {
        let isInWindow = Lock<[Bool]>([])
        let found = Lock<Int?>(nil)
        let task = window.begin { [table, window] in
            let value = try? await table.value(
                for: 1, waiter: SilentWaiter(priority: .normal), startsHere: startsHere
            ) { _ in
                let isOpen = window.isOpenHere
                isInWindow.withLock { $0.append(isOpen) }
                return 42
            }
            found.withLock { $0 = value }
        }
        if startsHere { #expect(found.withLock { $0 } == 42) }
        await task.value
        #expect(found.withLock { $0 } == 42)
        #expect(isInWindow.withLock { $0 } == [startsHere])
        #expect(table.count == 0)
    }

    @Test func `by default work starts on the caller's thread`() async throws {
        let (own, used) = try await Caller.pool.call {
            let table = WorkTable<Int, ThreadNote>()
            let own = ThreadNote.current
            return (own, try await table.value(for: 1, waiter: SilentWaiter(priority: .normal)) { _ in .current })
        }
        #expect(used == own)
    }

    @Test(arguments: Caller.named)
    func `work never starts on the thread of an actor or executor`(caller: Caller) async throws {
        let (own, used) = try await caller.call {
            let table = WorkTable<Int, ThreadNote>()
            let used = try await table.value(for: 1, waiter: SilentWaiter(priority: .normal)) { _ in .current }
            return (ThreadNote.current, used)
        }
        #expect(own.name == caller.threadName)
        #expect(used.name != caller.threadName)
    }

    @MainActor
    @Test func `work does not block the main actor`() async {
        let isInWindow = Lock<[Bool]>([])
        await window.beginOnMainActor { [table, window] in
            _ = try? await table.value(for: 1, waiter: SilentWaiter(priority: .normal)) { _ in
                let isOpen = window.isOpenHere
                isInWindow.withLock { $0.append(isOpen) }
                return 1
            }
        }.value
        #expect(isInWindow.withLock { $0 } == [false])
    }

    @Test func `nothing starts for a cancelled waiter, and the call returns`() async {
        let startCount = Lock(0)
        let errors = Lock<[any Error]>([])
        let task = window.begin { [table] in
            Self.cancelThisTask()
            do {
                _ = try await table.value(for: 1, waiter: SilentWaiter(priority: .normal)) { _ in
                    startCount.withLock { $0 += 1 }
                    return 1
                }
            } catch {
                errors.withLock { $0.append(error) }
            }
        }
        await task.value
        #expect(errors.withLock { $0.count } == 1)
        #expect(errors.withLock { $0 }.allSatisfy { $0 is CancellationError })
        #expect(startCount.withLock { $0 } == 0)
        #expect(table.count == 0)
    }

    @Test func `work that fails inline fails for its waiter, and the next one starts it again`() async throws {
        let waiter = SilentWaiter(priority: .normal)
        await #expect(throws: Failure.self) {
            try await table.value(for: 1, waiter: waiter) { _ in throw Failure() }
        }
        #expect(table.count == 0)
        #expect(try await table.value(for: 1, waiter: waiter) { _ in 2 } == 2)
    }

    @Test func `work that starts inline and suspends is shared, and can be left at once`() async throws {
        let gate = Gate()
        let joinCount = Lock(0)
        let task = window.begin { [table] in
            _ = try? await table.value(for: 1, waiter: SilentWaiter(priority: .low)) { _ in
                try await gate.pass()
                return 1
            }
        }
        // It has started before any other thread could run it.
        #expect(table.count == 1)
        #expect(gate.arrivals == 1)
        let other = window.begin { [table] in
            _ = try? await table.value(
                for: 1, waiter: SilentWaiter(priority: .low), onJoin: { joinCount.withLock { $0 += 1 } }
            ) { _ in 2 }
        }
        #expect(joinCount.withLock { $0 } == 1)
        #expect(table.waiterCount(for: 1) == 2)
        task.cancel()
        await task.value
        #expect(table.waiterCount(for: 1) == 1)
        gate.open()
        await other.value
        #expect(table.count == 0)
    }

    /// Runs work that waits for other work of the table, nested to a depth.
    private static func nested(_ depth: Int, in table: WorkTable<Int, Int>) async throws -> Int {
        try await table.value(for: depth, waiter: SilentWaiter(priority: .normal), startsHere: false) { _ in
            guard depth > 0 else { return 0 }
            return try await nested(depth - 1, in: table) + 1
        }
    }

    @Test func `work that starts elsewhere can be nested without end`() async throws {
        let count = try await Caller.pool.call { [table] in try await Self.nested(2000, in: table) }
        #expect(count == 2000)
        #expect(table.count == 0)
    }
}
