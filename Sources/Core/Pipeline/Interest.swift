/// One who waits for work: how urgent it is to him, and where he wants to hear of progress.
///
/// A request has one, and so has each step that waits for another: urgency flows from the requests down to what they
/// wait for, reports flow up. Thread-safe; nobody is called under a lock.
protocol Interest: AnyObject, Sendable {
    /// The request that it belongs to, by its number among events; nil for what belongs to none.
    var requestID: UInt64? { get }

    var urgency: Urgency { get }

    /// Whether it wants to see the picture before it is whole. Can change.
    var wantsPreviews: Bool { get }

    /// Tells the one who waits what there is to be seen meanwhile.
    func report(_ report: WorkReport)
}

extension Interest {
    /// How urgent it is now. Whoever observes is told of changes.
    var priority: Priority {
        get { urgency.priority }
        set { urgency.priority = newValue }
    }

    /// Makes it as urgent as that, unless it is more urgent already.
    func raise(to priority: Priority) { urgency.raise(to: priority) }

    /// Calls `observer` at each change of priority, and once at the start with what it is.
    /// - Returns: What ends it.
    func observe(_ observer: @escaping @Sendable (Priority) -> Void) -> Int { urgency.observe(observer) }

    /// Ends an observation.
    func endObserving(_ token: Int) { urgency.endObserving(token) }
}
