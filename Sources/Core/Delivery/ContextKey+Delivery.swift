import Dispatch

extension ContextKey where Value == Delivery {
    /// Where callbacks are called.
    public static let delivery = ContextKey(
        "delivery", default: .queue(.global()), summary: "Where the callbacks of a load are called."
    ) { $0.text }
}

extension ContextSetting {
    /// Where the callbacks of a load are called that does not say so itself. Default: on a global queue, where they may
    /// block.
    public static func delivery(_ delivery: Delivery) -> ContextSetting { .set(.delivery, to: delivery) }
}
