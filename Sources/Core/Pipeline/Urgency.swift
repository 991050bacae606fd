/// How urgent work is to one who waits for it, and who follows that. Thread-safe; nobody is called under a lock.
final class Urgency: Sendable {
    private struct State {
        var priority: Priority
        var observers: [Int: @Sendable (Priority) -> Void] = [:]
        var nextObserver = 0
    }

    private let state: Lock<State>

    init(_ priority: Priority) { state = Lock(State(priority: priority)) }

    /// How urgent it is now. Whoever observes is told of changes.
    var priority: Priority {
        get { state.withLock { $0.priority } }
        set { change { _ in newValue } }
    }

    /// Makes it as urgent as that, unless it is more urgent already.
    func raise(to priority: Priority) {
        change { max($0, priority) }
    }

    private func change(_ body: (Priority) -> Priority) {
        let observers = state.withLock { state -> [@Sendable (Priority) -> Void] in
            let priority = body(state.priority)
            guard state.priority != priority else { return [] }
            state.priority = priority
            return Array(state.observers.values)
        }
        for observer in observers { tell(observer) }
    }

    /// Calls `observer` at each change of priority, and once at the start with what it is.
    /// - Returns: What ends it.
    func observe(_ observer: @escaping @Sendable (Priority) -> Void) -> Int {
        let token = state.withLock { state in
            defer { state.nextObserver += 1 }
            state.observers[state.nextObserver] = observer
            return state.nextObserver
        }
        tell(observer)
        return token
    }

    /// Tells the priority until it is the one that holds: of two changes at once, the earlier may be told later.
    private func tell(_ observer: (Priority) -> Void) {
        var told: Priority
        repeat {
            told = priority
            observer(told)
        } while told != priority
    }

    /// Ends an observation.
    func endObserving(_ token: Int) {
        state.withLock { _ = $0.observers.removeValue(forKey: token) }
    }
}
