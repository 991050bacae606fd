/// One who waits for work, and wants to hear of nothing.
final class SilentInterest: Interest {
    let requestID: UInt64?
    let urgency: Urgency
    let wantsPreviews = false

    init(priority: Priority, requestID: UInt64? = nil) {
        self.requestID = requestID
        urgency = Urgency(priority)
    }

    func report(_ report: WorkReport) {}
}
