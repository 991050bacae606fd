/// An observation of the priority of a load. Releasing it ends the observation.
public final class PriorityObservation: Sendable {
    private let demand: Demand
    private let token: Int

    init(of demand: Demand, _ body: @escaping @Sendable (Priority) -> Void) {
        self.demand = demand
        token = demand.observePriority(body)
    }

    deinit { demand.endObserving(token) }
}
