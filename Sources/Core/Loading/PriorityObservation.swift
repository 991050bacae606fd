/// An observation of how urgent a load is; ends when it goes.
public final class PriorityObservation: Sendable {
    private let waiter: any Waiter
    private let token: Int

    init(of waiter: any Waiter, _ body: @escaping @Sendable (Priority) -> Void) {
        self.waiter = waiter
        token = waiter.observePriority(body)
    }

    deinit { waiter.endObserving(token) }
}
