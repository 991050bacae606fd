import CalotypeTesting
import Testing

@testable import Calotype

/// The cost that work inside a gate may take under a ceiling.
@Suite(.timeLimit(.minutes(5)))
struct AdmissionCeilingTests {
    private struct Failure: Error {}

    private let gate = AsyncGate(width: 2, budget: 100)

    /// Passes the gate, and runs `body` inside.
    private func inside<Made: Sendable>(
        _ body: @escaping @Sendable (AsyncGate.Admission) async throws -> Made
    ) async throws -> Made {
        try await gate.runOnBudget(for: Demand(.normal), body)
    }

    @Test func `work may take as much as the ceiling`() async throws {
        let made = try await inside { [gate] admission in
            try admission.limited(to: 10) {
                try admission.take(4)
                try admission.take(10)
                return gate.takenCost
            }
        }
        #expect(made == 10)
        #expect(gate.takenCost == 0)
    }

    @Test func `work that exceeds the ceiling returns nil and takes nothing`() async throws {
        try await inside { [gate] admission in
            let made = try admission.limited(to: 10) {
                try admission.take(11)
                return 1
            }
            #expect(made == nil)
            #expect(gate.takenCost == 0)
        }
    }

    @Test func `work keeps its former cost when it exceeds the ceiling`() async throws {
        try await inside { [gate] admission in
            let made = try admission.limited(to: 10) {
                try admission.take(6)
                try admission.take(11)
                return 1
            }
            #expect(made == nil)
            #expect(gate.takenCost == 6)
            // The argument is the total cost, not an increase.
            try admission.take(60)
            #expect(gate.takenCost == 60)
        }
        #expect(gate.takenCost == 0)
    }

    @Test func `work that throws Excess returns nil too`() async throws {
        try await inside { admission in
            let made = try admission.limited(to: 10) { () throws -> Int in throw AsyncGate.Excess() }
            #expect(made == nil)
        }
    }

    /// The outcomes of work under a ceiling.
    enum Ending: CaseIterable, Sendable {
        case made, excess, failure
    }

    @Test(arguments: Ending.allCases)
    func `the ceiling ends with the limited work, whatever its outcome`(ending: Ending) async throws {
        try await inside { [gate] admission in
            #expect(!admission.isLimited)
            do {
                _ = try admission.limited(to: 10) {
                    #expect(admission.isLimited)
                    switch ending {
                    case .made: break
                    case .excess: try admission.take(11)
                    case .failure: throw Failure()
                    }
                }
                #expect(ending != .failure)
            } catch {
                #expect(error is Failure)
                #expect(ending == .failure)
            }
            #expect(!admission.isLimited)
            try admission.take(90)
            #expect(gate.takenCost == 90)
        }
    }

    @Test func `if too little is left, work waits and starts again without a ceiling`() async throws {
        let held = Gate()
        let holder = Task {
            try await inside { admission in
                try admission.take(95)
                try await held.pass()
                withExtendedLifetime(admission) {}
            }
        }
        await held.waitForArrivals(1)
        let attempts = Lock<[Bool]>([])
        let waiting = Task {
            try await inside { [gate] admission in
                let isFirst = attempts.withLock { attempts in
                    attempts.append(admission.isLimited)
                    return attempts.count == 1
                }
                guard isFirst else { return gate.takenCost }
                let made = try admission.limited(to: 50) {
                    try admission.take(20)
                    return 0
                }
                Issue.record("expected the limited work to exceed its ceiling: \(String(describing: made))")
                return 0
            }
        }
        try await waitUntil("the work waits for budget") { gate.waitingCount >= 1 }
        #expect(gate.takenCost == 95)
        held.open()
        try await holder.value
        // It has the cost that it waited for.
        #expect(try await waiting.value == 20)
        #expect(attempts.withLock { $0 } == [false, false])
        #expect(gate.takenCost == 0)
    }
}
