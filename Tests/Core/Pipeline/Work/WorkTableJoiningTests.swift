import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct WorkTableJoiningTests {
    @Test func `each waiter joins the work in progress, except the first`() async throws {
        let table = WorkTable<String, Int>()
        let gate = Gate()
        let joins = Lock(0)
        let join: @Sendable () -> Void = { joins.withLock { $0 += 1 } }
        let tasks = (0..<5).map { _ in
            Task {
                try await table.value(for: "a", waiter: SilentWaiter(priority: .normal), onJoin: join) { _ in
                    try await gate.pass()
                    return 1
                }
            }
        }
        try await waitUntil("all five waiters wait, and four have joined") {
            table.waiterCount(for: "a") >= 5 && joins.withLock { $0 } >= 4
        }
        gate.open()
        for task in tasks { #expect(try await task.value == 1) }
        let joinCount = joins.withLock { $0 }
        #expect(joinCount == 4)
    }

    @Test func `the work belongs to the request that began it`() async throws {
        let table = WorkTable<String, UInt64?>()
        let found = try await table.value(for: "a", waiter: SilentWaiter(priority: .normal, requestID: 3)) {
            waiter in
            waiter.requestID
        }
        #expect(found == 3)
        let none = try await table.value(for: "a", waiter: SilentWaiter(priority: .normal)) { $0.requestID }
        #expect(none == nil)
    }
}
