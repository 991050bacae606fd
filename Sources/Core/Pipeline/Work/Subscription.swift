/// The subscription of a waiter to shared work. Not generic, because generic containers would slow down each report.
struct Subscription {
    let waiter: any Waiter
    /// The function that receives the reports; with nil, the waiter receives them.
    let onReport: ReportReceiver?
    var demand: Demand.Value

    func tell(_ report: WorkReport) {
        if let onReport { onReport(report) } else { waiter.report(report) }
    }
}
