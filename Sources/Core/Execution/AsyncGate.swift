/// A gate that admits a limited number of tasks at once, the most urgent first, and only while there is room for their
/// results.
///
/// A task waits at the gate if there is no place or no room. While room is scarce, each change admits one waiter, so
/// that its result is counted before the next one's turn. While half of the room is free, each change admits as many
/// waiters as there are places, so that none waits for a slow one.
///
/// Work inside the gate may have a budget. Work that does not know its cost in advance requests it inside, which costs
/// nothing if enough is left. Otherwise it leaves, and waits for its share at its former place in the line. The waiters
/// behind it wait too, so that small ones cannot keep a large one out. Work that costs more than the whole budget is
/// admitted when none of the budget is taken, and then runs alone.
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

    /// An admitted waiter's share of the budget, which it holds for as long as this object exists. Used by one thread
    /// at a time.
    final class Admission: Sendable {
        private struct State {
            var held: Int
            /// The maximum that may be taken; nil for everything that is left.
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

        /// Whether the admission has a ceiling.
        var isLimited: Bool { state.withLock { $0.ceiling != nil } }

        /// Calls `body`, which may take `ceiling` in all. Returns nil if it wants more, or throws `Excess` for another
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

        /// Takes a share of the budget, given as the total for this admission. If it throws, let the error through and
        /// release this admission, which gives back its share: the work then waits at the gate for the share that it
        /// needs.
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

    /// The error of taking more than is left of the budget for now.
    struct Deferral: Error {
        fileprivate let cost: Int
    }

    private let state: Lock<State>
    private let backlog: Backlog?
    private let budget: Int

    /// Creates a gate for `width` tasks at once.
    /// - Parameters:
    ///   - backlog: The backlog in which tasks count their results before they leave; nil if there is always room.
    ///   - budget: The total cost of the tasks inside; at least 1.
    init(width: Int, into backlog: Backlog? = nil, budget: Int = .max) {
        state = Lock(State(free: width))
        self.backlog = backlog
        self.budget = budget
        backlog?.observe { [weak self] in self?.letIn() }
    }

    /// The number of waiters.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// The priority of the next waiter; nil if there is none.
    var highestWaitingPriority: Priority? { state.withLock { $0.waiting.highestPriority } }

    /// The part of the budget that is taken.
    var takenCost: Int { state.withLock { $0.taken } }

    /// Runs `body` in its turn, with the priority of `demand`. Throws `CancellationError` if the task is cancelled
    /// while it waits.
    func run<Result: Sendable>(
        for demand: Demand, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await enter(for: demand)
        defer { leave() }
        return try await body()
    }

    /// Runs `body` if its turn is now. Returns nil if it would have to wait.
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

    /// Runs `body` as `run` does, with an admission to take a share of the budget. If `body` has to wait for its share,
    /// it runs again from the start.
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

    /// Waits for a turn. The caller must then call `leave`. If it throws, as `run` does, the caller must not.
    func enter(for demand: Demand) async throws {
        _ = try await enter(for: demand, after: nil, taking: 0)
    }

    /// - Parameters:
    ///   - former: The ticket of an admission that is given back for this wait; nil for a new waiter.
    ///   - cost: The share of the budget to take; 0 if it is not known.
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
            // A waiter that has already been admitted is not found here, and gives its place back when it is done.
            let waiting = state.withLock { $0.waiting.remove(ticket) }
            waiting?.turn.resolve(.failure(CancellationError()))
            // The cancelled waiter may have needed more than those behind it.
            letIn()
        }
    }

    /// Gives a place back.
    func leave() { letIn { $0.free += 1 } }

    /// Takes a share of the budget in place of the share that an admission holds. Returns false if the work has to
    /// leave and wait for it: its admission then gives the old share back, which admits waiters.
    private func take(_ cost: Int, insteadOf held: Int, ticket: Int, priority: Priority) -> Bool {
        state.withLock { state in
            // A waiter for a share of the budget must not be overtaken by those behind it.
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

    /// Makes `change`, and admits the waiters whose turn it then is.
    private func letIn(after change: (inout State) -> Void = { _ in }) {
        guard letNextIn(after: change) else { return }
        while backlog?.isHalfFull != true, letNextIn() {}
    }

    /// Makes `change`, and admits the next waiter if there is a place and room for it. Returns false if there is not.
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

    /// Whether enough of the budget is left for a new waiter. A waiter of unknown cost counts as 1.
    private func isLeft(_ cost: Int, beside taken: Int) -> Bool { taken == 0 || max(cost, 1) <= budget - taken }
}
