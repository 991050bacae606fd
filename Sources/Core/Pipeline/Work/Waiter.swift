/// A waiter for work: a request, or a step that waits for another step. Thread-safe; client code is never called under
/// a lock.
protocol Waiter: AnyObject, Sendable {
    /// The number that identifies the request in events; nil for a waiter that belongs to no request.
    var requestID: UInt64? { get }

    /// The priority of the waiter, and whether it wants previews.
    var demand: Demand { get }

    /// Receives progress and previews.
    func report(_ report: WorkReport)
}

/// A waiter that ignores reports.
final class SilentWaiter: Waiter {
    let requestID: UInt64?
    let demand: Demand

    init(priority: Priority, requestID: UInt64? = nil) {
        self.requestID = requestID
        demand = Demand(priority)
    }

    func report(_ report: WorkReport) {}
}
