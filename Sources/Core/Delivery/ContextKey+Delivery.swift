extension ContextKey where Value == Delivery? {
    /// The queue on which callbacks are called; nil for a queue of the load's own.
    public static let delivery = ContextKey(
        "delivery", default: nil, isKeptByImages: false,
        summary: "The queue, actor or executor on which the callbacks of a load run."
    ) { $0?.text ?? "a queue of its own" }
}

extension ContextSetting {
    /// Sets the place where a load's callbacks are called, for loads that do not set it themselves. Default: on a queue
    /// of the load's own, where they may block. Some two hundred that are blocked at once are what Dispatch bears: it
    /// has no thread for more of them.
    public static func delivery(_ delivery: Delivery) -> ContextSetting { .set(.delivery, to: delivery) }
}

extension ContextDeclaration {
    /// The keys of delivery.
    static let delivery: [ContextDeclaration] = [ContextKey.delivery.declaration]
}
