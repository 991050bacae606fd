/// A waiter for work, with its demand and its handler of progress.
///
/// A request is one, and so is each step that waits for another: demand flows from the requests down to what they
/// wait for, reports flow up. Thread-safe; nobody is called under a lock.
protocol Waiter: AnyObject, Sendable {
    /// The request that it belongs to, by its number among events; nil for what belongs to none.
    var requestID: UInt64? { get }

    var demand: Demand { get }

    /// Tells the waiter what can be shown meanwhile.
    func report(_ report: WorkReport)
}

extension Waiter {
    /// The current priority. Observers are told of changes.
    var priority: Priority {
        get { demand.value.priority }
        set { demand.change { $0.priority = newValue } }
    }

    /// Whether it wants to see the picture before it is whole. Observers of the demand are told of changes.
    var wantsPreviews: Bool { demand.value.wantsPreviews }

    /// Makes it as urgent as that, unless it is more urgent already.
    func raise(to priority: Priority) { demand.change { $0.priority = max($0.priority, priority) } }

    /// Calls `observer` at each change of the priority, and once at the start.
    ///
    /// Returns a token for ``endObserving(_:)``.
    func observePriority(_ observer: @escaping @Sendable (Priority) -> Void) -> Int { demand.observePriority(observer) }

    /// Ends an observation.
    func endObserving(_ token: Int) { demand.endObserving(token) }
}
