/// A waiter that wants no reports.
final class SilentWaiter: Waiter {
    let requestID: UInt64?
    let demand: Demand

    init(priority: Priority, requestID: UInt64? = nil) {
        self.requestID = requestID
        demand = Demand(priority)
    }

    func report(_ report: WorkReport) {}
}
