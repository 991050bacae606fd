/// One who waits for work, and wants to hear of nothing.
final class SilentInterest: Interest {
    let requestID: UInt64?
    let demand: Demand

    init(priority: Priority, requestID: UInt64? = nil) {
        self.requestID = requestID
        demand = Demand(priority)
    }

    func report(_ report: WorkReport) {}
}
