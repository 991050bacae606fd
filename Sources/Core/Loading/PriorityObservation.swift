/// An observation of how urgent a load is; ends when it goes.
public final class PriorityObservation: Sendable {
    private let interest: any Interest
    private let token: Int

    init(of interest: any Interest, _ body: @escaping @Sendable (Priority) -> Void) {
        self.interest = interest
        token = interest.observePriority(body)
    }

    deinit { interest.endObserving(token) }
}
