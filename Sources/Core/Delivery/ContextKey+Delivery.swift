extension ContextKey where Value == Delivery? {
    /// Where callbacks are called; nil for a queue of the load's own.
    public static let delivery = ContextKey(
        "delivery", default: nil, summary: "Where the callbacks of a load are called."
    ) { $0?.text ?? "a queue of its own" }
}

extension ContextSetting {
    /// Where the callbacks of a load are called that does not say so itself. Default: on a queue of the load's own,
    /// where they may block. Some two hundred that are blocked at once are what Dispatch bears: it has no thread for
    /// more of them.
    public static func delivery(_ delivery: Delivery) -> ContextSetting { .set(.delivery, to: delivery) }
}
