import CalotypeTesting
import Testing

@testable import Calotype

/// Work that passes a gate immediately, or not at all.
@Suite(.timeLimit(.minutes(5)))
struct AsyncGateTests {
    private struct Failure: Error {}

    private func demand(_ priority: Priority = .normal) -> Demand { Demand(priority) }

    private func waitForWaiting(_ count: Int, at gate: AsyncGate) async throws {
        try await waitUntil("\(count) waiters are queued at the gate") { gate.waitingCount >= count }
    }

    // MARK: Admission

    @Test func `work runs immediately in a free slot, and the slot is released`() {
        let gate = AsyncGate(width: 1)
        for number in 0..<3 { #expect(gate.runNow(for: demand()) { number } == number) }
    }

    @Test func `the gate admits as many as it has slots`() {
        let gate = AsyncGate(width: 2)
        let made = gate.runNow(for: demand()) {
            gate.runNow(for: demand()) { gate.runNow(for: demand(.veryHigh)) { true } == nil }
        }
        #expect(made == .some(.some(true)))
    }

    @Test func `nothing runs immediately if all slots are taken`() async throws {
        let (gate, held) = (AsyncGate(width: 1), Gate())
        let holder = Task { try await gate.run(for: demand()) { try await held.pass() } }
        await held.waitForArrivals(1)
        #expect(gate.runNow(for: demand(.veryHigh)) { true } == nil)
        held.open()
        try await holder.value
        #expect(gate.runNow(for: demand()) { true } == true)
    }

    @Test func `nothing runs immediately while others wait, even with a free slot and room`() async throws {
        let backlog = Backlog(limit: 800)
        let gate = AsyncGate(width: 2, into: backlog)
        // Given a backlog that is full for normal priority, but not for higher ones
        var shares = [backlog.reserve(800, for: .normal)]
        #expect(gate.runNow(for: demand(.high)) { true } == true)
        // When a waiter arrives
        let waiting = Task { try await gate.run(for: demand()) {} }
        try await waitForWaiting(1, at: gate)
        #expect(gate.runNow(for: demand(.high)) { true } == nil)
        #expect(gate.waitingCount == 1)
        shares.removeAll()
        try await waiting.value
        #expect(gate.runNow(for: demand(.high)) { true } == true)
    }

    @Test func `nothing runs immediately without room in the backlog`() {
        let backlog = Backlog(limit: 100)
        let gate = AsyncGate(width: 2, into: backlog)
        var shares = [backlog.reserve(99)]
        #expect(gate.runNow(for: demand()) { true } == true)
        shares.append(backlog.reserve(1))
        #expect(gate.runNow(for: demand()) { true } == nil)
        #expect(gate.waitingCount == 0, "the queue is empty")
        shares.removeLast()
        #expect(gate.runNow(for: demand()) { true } == true)
    }

    // MARK: Slots

    @Test func `the slot is released also after a failure`() {
        let gate = AsyncGate(width: 1)
        for _ in 0..<3 {
            #expect(throws: Failure.self) {
                try gate.runNow(for: demand()) { () throws -> Int in throw Failure() }
            }
        }
        #expect(gate.runNow(for: demand()) { true } == true)
    }

    @Test(arguments: [false, true])
    func `a waiter that arrives meanwhile is admitted afterward, whatever the outcome`(fails: Bool) async throws {
        let (gate, held) = (AsyncGate(width: 1), BlockingGate())
        defer { held.open() }
        let lane = Lane(name: "gate", width: 1)
        // Given work that runs inside on another thread, and a waiter
        let inside = Task {
            try await lane.run {
                try gate.runNow(for: Demand(.normal)) {
                    held.pass()
                    if fails { throw Failure() }
                    return true
                }
            }
        }
        await held.waitForArrivals(1)
        let isNext = Lock(false)
        let waiting = Task {
            try await gate.run(for: Demand(.normal)) { isNext.withLock { $0 = true } }
        }
        try await waitForWaiting(1, at: gate)
        #expect(!isNext.withLock { $0 })
        held.open()
        try await waiting.value
        let outcome = await inside.result
        if fails {
            #expect(throws: Failure.self) { try outcome.get() }
        } else {
            #expect(try outcome.get() == true)
        }
    }

    @Test func `results made inside count before the next waiter is admitted`() async throws {
        let backlog = Backlog(limit: 100)
        let (gate, held) = (AsyncGate(width: 1, into: backlog), BlockingGate())
        defer { held.open() }
        let lane = Lane(name: "gate", width: 1)
        let made = Lock<Backlog.Reservation?>(nil)
        let inside = Task {
            try await lane.run {
                gate.runNow(for: Demand(.normal)) {
                    held.pass()
                    let share = backlog.reserve(100)
                    made.withLock { $0 = share }
                    return true
                }
            }
        }
        await held.waitForArrivals(1)
        let isNext = Lock(false)
        let waiting = Task {
            try await gate.run(for: Demand(.normal)) { isNext.withLock { $0 = true } }
        }
        try await waitForWaiting(1, at: gate)
        held.open()
        // When the slot is free, and the backlog is full
        #expect(try await inside.value == true)
        #expect(gate.waitingCount == 1)
        #expect(!isNext.withLock { $0 })
        made.withLock { $0 = nil }
        try await waiting.value
    }
}
