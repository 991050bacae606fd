/// The demands of a waiter on its work: the priority, and whether previews are wanted. Thread-safe.
///
/// Observers are notified of changes, never under a lock.
final class Demand: Sendable {
    /// The state of a demand at one moment.
    struct Value: Equatable {
        var priority: Priority
        /// Whether previews of an incomplete picture are wanted.
        var wantsPreviews = false
    }

    /// An observer, and whether it is also notified when the wish for previews changes.
    private struct Observer {
        let heedsPreviews: Bool
        let body: @Sendable (Value) -> Void

        func isConcerned(_ one: Value, _ other: Value) -> Bool {
            one.priority != other.priority || (heedsPreviews && one.wantsPreviews != other.wantsPreviews)
        }
    }

    private struct State {
        var value: Value
        var observers: [Int: Observer] = [:]
        var nextObserver = 0
    }

    private let state: Lock<State>

    init(_ value: Value) { state = Lock(State(value: value)) }

    convenience init(_ priority: Priority) { self.init(Value(priority: priority)) }

    /// The current demand.
    var value: Value { state.withLock { $0.value } }

    /// The current priority. Changing it notifies the observers.
    var priority: Priority {
        get { value.priority }
        set { change { $0.priority = newValue } }
    }

    /// Raises the priority to `priority`, unless it is higher already.
    func raise(to priority: Priority) { change { $0.priority = max($0.priority, priority) } }

    /// Changes the demand, and notifies the observers that the change concerns. Only `body` is called under a lock.
    func change(_ body: (inout Value) -> Void) {
        let observers = state.withLock { state -> [Observer] in
            let former = state.value
            body(&state.value)
            guard state.value != former else { return [] }
            return state.observers.values.filter { $0.isConcerned(former, state.value) }
        }
        for observer in observers { tell(observer) }
    }

    /// Calls `observer` with the priority now and after each change of it. Returns a token for ``endObserving(_:)``.
    func observePriority(_ observer: @escaping @Sendable (Priority) -> Void) -> Int {
        add(Observer(heedsPreviews: false) { observer($0.priority) })
    }

    /// Calls `observer` with the demand now and after each change. Returns a token for ``endObserving(_:)``.
    func observe(_ observer: @escaping @Sendable (Value) -> Void) -> Int {
        add(Observer(heedsPreviews: true, body: observer))
    }

    private func add(_ observer: Observer) -> Int {
        let token = state.withLock { state in
            defer { state.nextObserver += 1 }
            state.observers[state.nextObserver] = observer
            return state.nextObserver
        }
        tell(observer)
        return token
    }

    /// Notifies an observer until it has the current value. Without the repetition, the earlier of two concurrent
    /// changes could be reported last.
    private func tell(_ observer: Observer) {
        var told: Value
        repeat {
            told = value
            observer.body(told)
        } while observer.isConcerned(told, value)
    }

    /// Ends the observation that a token stands for.
    func endObserving(_ token: Int) {
        state.withLock { _ = $0.observers.removeValue(forKey: token) }
    }
}
