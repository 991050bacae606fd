/// One who waits for work: how urgent it is to him, and where he wants to hear of progress.
///
/// A request has one, and so has each step that waits for another: urgency flows from the requests down to what they
/// wait for, reports flow up. Thread-safe; nobody is called under a lock.
class Interest: @unchecked Sendable {
    // Sound because all that it has, and all that those have that are made of it, is constant and `Sendable`; the
    // compiler cannot know that of a class that is not final.

    private struct State {
        var priority: Priority
        var observers: [Int: @Sendable (Priority) -> Void] = [:]
        var nextObserver = 0
    }

    /// The request that it belongs to, by its number among events; nil for what belongs to none.
    let requestID: UInt64?
    private let state: Lock<State>

    /// One who hears of nothing.
    init(priority: Priority, requestID: UInt64? = nil) {
        self.requestID = requestID
        state = Lock(State(priority: priority))
    }

    /// Whether it wants to see the picture before it is whole. Can change.
    var wantsPreviews: Bool { false }

    /// Tells the one who waits what there is to be seen meanwhile.
    func report(_ report: WorkReport) {}

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
