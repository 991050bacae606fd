/// A waiter that passes reports on to another one without retaining it.
///
/// What a loader receives refers to its waiter through this type, because a loader may retain its arguments long after
/// the load has ended.
final class WeakWaiter: Waiter {
    private struct Target {
        weak var waiter: (any Waiter)?
    }

    let requestID: UInt64?
    let demand: Demand
    private let target: Lock<Target>

    init(for waiter: any Waiter) {
        requestID = waiter.requestID
        demand = waiter.demand
        target = Lock(Target(waiter: waiter))
    }

    func report(_ report: WorkReport) { target.withLock { $0.waiter }?.report(report) }
}
