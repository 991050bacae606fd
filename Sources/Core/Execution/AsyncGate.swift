/// Lets a number of tasks through at once, the most urgent first, and only while there is room for what they make.
///
/// A waiter, for a place or for room, has neither. While room is scarce, each change admits one waiter, so that its use
/// can be counted before the next one's turn; while half of the room is free, all waiters are admitted for which there
/// is a place, so that none waits for a slow one.
///
/// Work may have a budget while it is inside. Work that does not know its cost before says it inside, which costs
/// nothing if there is enough. Otherwise it leaves, and waits for room at its former place in the line: the waiters
/// behind it wait too, so that no number of small ones keeps a large one out. Work that costs more than the whole
/// budget is admitted when nothing of it is taken, and then alone.
final class AsyncGate: Sendable {
    /// A waiter.
    private struct Waiting {
        let turn: OneShot<Void>
        /// The part of the budget that the waiter will take; 0 if it is not known yet.
        let cost: Int
    }

    private struct State {
        var free: Int
        /// The part of the budget that is taken.
        var taken = 0
        var waiting = PriorityQueue<Waiting>()
    }

    /// The part of the budget that an admitted waiter takes, for as long as this object exists. Used by one thread at a
    /// time.
    final class Admission: Sendable {
        private struct State {
            var held: Int
            /// The most that may be taken; nil for as much as there is.
            var ceiling: Int?
        }

        private let ticket: Int
        private let state: Lock<State>
        private let gate: AsyncGate
        private let demand: Demand

        fileprivate init(_ ticket: Int, holding cost: Int, at gate: AsyncGate, for demand: Demand) {
            self.ticket = ticket
            self.gate = gate
            self.demand = demand
            state = Lock(State(held: cost))
        }

        deinit { gate.giveBack(state.withLock { $0.held }) }

        /// Whether there is a ceiling.
        var isLimited: Bool { state.withLock { $0.ceiling != nil } }

        /// Calls `body`, which may take `ceiling` in all; returns nil if it wants more, or throws `Excess` for another
        /// reason.
        func limited<Made>(to ceiling: Int, _ body: () throws -> Made) throws -> Made? {
            state.withLock { $0.ceiling = ceiling }
            defer { state.withLock { $0.ceiling = nil } }
            do {
                return try body()
            } catch is Excess {
                return nil
            }
        }

        /// Takes a part of the budget, the total for this admission. If it throws, let the error through and release
        /// this admission, which gives back its part: the gate then lets the work wait for what it needs.
        func take(_ cost: Int) throws {
            try state.withLock { state in
                if let ceiling = state.ceiling, cost > ceiling { throw Excess() }
                guard cost > state.held else { return }
                guard gate.take(cost, insteadOf: state.held, ticket: ticket, priority: demand.priority) else {
                    throw Deferral(cost: cost)
                }
                state.held = cost
            }
        }
    }

    /// The error of taking more than the ceiling.
    struct Excess: Error {}

    /// There is too little left of the budget for now.
    struct Deferral: Error {
        fileprivate let cost: Int
    }

    private let state: Lock<State>
    private let backlog: Backlog?
    private let budget: Int

    /// A gate for `width` tasks at once.
    /// - Parameters:
    ///   - backlog: Where what they make is counted, before they leave; nil if there is always room.
    ///   - budget: What they may take at once, all together; at least 1.
    init(width: Int, into backlog: Backlog? = nil, budget: Int = .max) {
        state = Lock(State(free: width))
        self.backlog = backlog
        self.budget = budget
        backlog?.observe { [weak self] in self?.letIn() }
    }

    /// The number of waiters.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// The priority of the next waiter; nil without waiters.
    var highestWaitingPriority: Priority? { state.withLock { $0.waiting.highestPriority } }

    /// The part of the budget that is taken.
    var takenCost: Int { state.withLock { $0.taken } }

    /// Runs `body` when its turn has come, as urgently as `demand` says. Throws `CancellationError` when the task is
    /// cancelled while it waits.
    func run<Result: Sendable>(
        for demand: Demand, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await enter(for: demand)
        defer { leave() }
        return try await body()
    }

    /// Runs `body` where its turn is now; nil if it would have to wait.
    func runNow<Result>(for demand: Demand, _ body: () throws -> Result) rethrows -> Result? {
        let isIn = state.withLock { state in
            guard state.waiting.count == 0, state.free > 0, hasRoom(for: demand.priority) else { return false }
            state.free -= 1
            return true
        }
        guard isIn else { return nil }
        defer { leave() }
        return try body()
    }

    /// Runs `body` as `run` does, and lets it take of the budget. Where it has to wait for that it begins anew.
    func runOnBudget<Result: Sendable>(
        for demand: Demand, _ body: @Sendable (Admission) async throws -> Result
    ) async throws -> Result {
        var cost = 0
        var ticket = try await enter(for: demand, after: nil, taking: cost)
        while true {
            do {
                let result = try await body(Admission(ticket, holding: cost, at: self, for: demand))
                leave()
                return result
            } catch let deferral as Deferral {
                cost = deferral.cost
                ticket = try await enter(for: demand, after: ticket, taking: cost)
            } catch {
                leave()
                throw error
            }
        }
    }

    /// Waits for a turn, after which `leave` is to be called. Throws as `run` does, after which it is not.
    func enter(for demand: Demand) async throws {
        _ = try await enter(for: demand, after: nil, taking: 0)
    }

    /// - Parameters:
    ///   - former: The ticket of an admission that is given back for this wait; nil for a new waiter.
    ///   - cost: The part of the budget to take; 0 if it is not known.
    /// - Returns: The ticket of the waiter.
    private func enter(for demand: Demand, after former: Int?, taking cost: Int) async throws -> Int {
        let turn = OneShot<Void>()
        let (ticket, waits) = state.withLock { state -> (Int, Bool) in
            if former != nil { state.free += 1 }
            let ticket = former ?? state.waiting.makeTicket()
            let priority = demand.priority
            guard state.waiting.count == 0, state.free > 0, hasRoom(for: priority), isLeft(cost, beside: state.taken)
            else {
                state.waiting.add(Waiting(turn: turn, cost: cost), priority: priority, ticket: ticket)
                return (ticket, true)
            }
            state.free -= 1
            state.taken += cost
            return (ticket, false)
        }
        if waits { try await wait(for: turn, ticket, demand) }
        return ticket
    }

    private func wait(for turn: OneShot<Void>, _ ticket: Int, _ demand: Demand) async throws {
        let observation = demand.observePriority { [self] priority in
            letIn { $0.waiting.setPriority(priority, of: ticket) }
        }
        defer { demand.endObserving(observation) }
        try await withTaskCancellationHandler {
            try await turn.value()
        } onCancel: {
            // Once it has been let through it is no longer waiting, and gives its place back when it is done.
            let waiting = state.withLock { $0.waiting.remove(ticket) }
            waiting?.turn.resolve(.failure(CancellationError()))
            // It may have waited for more than those behind it want.
            letIn()
        }
    }

    /// Gives a place back.
    func leave() { letIn { $0.free += 1 } }

    /// Takes so much of the budget in place of what an admission has. Returns false if the work has to leave and wait
    /// for it: it keeps its part until its admission gives it back, which admits waiters.
    private func take(_ cost: Int, insteadOf held: Int, ticket: Int, priority: Priority) -> Bool {
        state.withLock { state in
            // A waiter for a part of the budget is not passed by those behind it.
            let waits = (state.waiting.first?.cost ?? 0) > 0 && state.waiting.firstPrecedes(ticket, priority: priority)
            guard !waits, isLeft(cost, beside: state.taken - held) else { return false }
            state.taken += cost - held
            return true
        }
    }

    private func giveBack(_ cost: Int) {
        guard cost > 0 else { return }
        letIn { $0.taken -= cost }
    }

    /// Lets through whose turn it is after `change`.
    private func letIn(after change: (inout State) -> Void = { _ in }) {
        guard letNextIn(after: change) else { return }
        while backlog?.isHalfFull != true, letNextIn() {}
    }

    /// Admits the next waiter if there is a place and room for it after `change`; returns false if there is not.
    private func letNextIn(after change: (inout State) -> Void = { _ in }) -> Bool {
        let turn = state.withLock { state -> OneShot<Void>? in
            change(&state)
            guard let next = state.waiting.first, let priority = state.waiting.highestPriority, state.free > 0,
                hasRoom(for: priority), isLeft(next.cost, beside: state.taken)
            else { return nil }
            state.free -= 1
            state.taken += next.cost
            return state.waiting.next()?.turn
        }
        turn?.resolve(.success(()))
        return turn != nil
    }

    private func hasRoom(for priority: Priority) -> Bool { backlog?.isFull(for: priority) != true }

    /// Whether the budget has enough left for a new waiter. A waiter of unknown cost takes something.
    private func isLeft(_ cost: Int, beside taken: Int) -> Bool { taken == 0 || max(cost, 1) <= budget - taken }
}
