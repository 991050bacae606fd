/// A gate that lets a limited number of tasks run at once, the most urgent first, and only while a ``Backlog`` has room
/// for their results.
///
/// While the backlog is at least half full, each change of the gate or the backlog admits at most one waiter, so that
/// its result is counted before the next one is admitted.
///
/// The tasks inside can share a budget, such as an amount of memory. A task that learns its cost only inside the gate
/// requests it with ``Admission/take(_:)``. If too little of the budget is left, the task leaves the gate and waits at
/// its former position in the queue. Waiters behind it are not admitted before it, because small costs could keep out a
/// large one forever. A task whose cost is above the whole budget is admitted when none of the budget is taken.
final class AsyncGate: Sendable {
    /// A task that waits at the gate.
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

    /// The part of the budget that an admitted task has taken. It is held for as long as this object exists. Must be
    /// used by one thread at a time.
    final class Admission: Sendable {
        private struct State {
            var held: Int
            /// The maximum share of the budget that the admission may take; nil if only the budget limits the share.
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

        /// Whether ``limited(to:_:)`` currently sets a ceiling for the share.
        var isLimited: Bool { state.withLock { $0.ceiling != nil } }

        /// Calls `body`. Within the call, ``take(_:)`` throws ``Excess`` for a cost above `ceiling`. Returns nil if
        /// `body` throws ``Excess``.
        func limited<Made>(to ceiling: Int, _ body: () throws -> Made) throws -> Made? {
            state.withLock { $0.ceiling = ceiling }
            defer { state.withLock { $0.ceiling = nil } }
            do {
                return try body()
            } catch is Excess {
                return nil
            }
        }

        /// Raises the held part of the budget to `cost`, unless that much is held already.
        ///
        /// Throws ``Excess`` if `cost` is more than the ceiling of ``limited(to:_:)``. Throws ``Deferral`` if too
        /// little of the budget is left. In this case, release this admission, and let the error reach
        /// ``runOnBudget(for:_:)``, which waits until `cost` is available and runs the work again.
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

    /// The error of work that cannot run within the ceiling of its admission.
    struct Excess: Error {}

    /// The error of work that needs more of the budget than is currently left.
    struct Deferral: Error {
        fileprivate let cost: Int
    }

    private let state: Lock<State>
    private let backlog: Backlog?
    private let budget: Int

    /// Creates a gate for `width` tasks at once.
    /// - Parameters:
    ///   - backlog: The backlog to which tasks add their results before they leave the gate; nil if there is always
    ///     room.
    ///   - budget: The maximum total cost of the tasks inside; at least 1.
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

    /// Runs `body` once it is admitted, with the priority of `demand`. Throws `CancellationError` if the task is
    /// cancelled while it waits.
    func run<Result: Sendable>(
        for demand: Demand, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await enter(for: demand)
        defer { leave() }
        return try await body()
    }

    /// Runs `body` if it can be admitted without waiting, or else returns nil.
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

    /// Runs `body` as ``run(for:_:)`` does, with an admission that can take a part of the budget. If `body` has to wait
    /// for its part, it runs again from the start.
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

    /// Waits for admission, which the caller must end with ``leave()``. Throws `CancellationError`, without admission,
    /// if the task is cancelled while it waits.
    func enter(for demand: Demand) async throws {
        _ = try await enter(for: demand, after: nil, taking: 0)
    }

    /// Waits for admission and for a part of the budget.
    /// - Parameters:
    ///   - former: The ticket of work that leaves the gate and waits again; nil for a new waiter.
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
            // A waiter that has already been admitted is not found here, and gives its place back when it is done.
            let waiting = state.withLock { $0.waiting.remove(ticket) }
            waiting?.turn.resolve(.failure(CancellationError()))
            // The cancelled waiter may have needed more than those behind it.
            letIn()
        }
    }

    /// Gives a place back, and admits the next waiters.
    func leave() { letIn { $0.free += 1 } }

    /// Raises an admission's part of the budget from `held` to `cost`. Returns false if the work must leave the gate
    /// and wait.
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

    /// Applies `change`, then admits all possible waiters, or at most one if the backlog is at least half full.
    private func letIn(after change: (inout State) -> Void = { _ in }) {
        guard letNextIn(after: change) else { return }
        while backlog?.isHalfFull != true, letNextIn() {}
    }

    /// Applies `change` to the state, then admits the next waiter if possible. Returns whether a waiter was admitted.
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

    /// Returns whether enough of the budget is left if others have taken `taken`. An unknown cost (0) counts as 1.
    private func isLeft(_ cost: Int, beside taken: Int) -> Bool { taken == 0 || max(cost, 1) <= budget - taken }
}
