extension ContextKey where Value == Delivery? {
    /// The place where the callbacks of a load are called. Nil, the default, for a separate queue for each load.
    public static let delivery = ContextKey(
        "delivery", default: nil, isKeptByImages: false,
        summary: "The queue, actor or executor on which the callbacks of a load run."
    ) { $0?.text ?? "a queue of its own" }
}

extension ContextSetting {
    /// Sets the place where the callbacks of a load are called. Default: a separate queue for each load, on which
    /// callbacks may block.
    ///
    /// Dispatch provides threads for about two hundred blocked callbacks at once. Further callbacks wait until one of
    /// these returns.
    public static func delivery(_ delivery: Delivery) -> ContextSetting { .set(.delivery, to: delivery) }
}

extension ContextDeclaration {
    /// The declarations of the context keys for delivery.
    static let delivery: [ContextDeclaration] = [ContextKey.delivery.declaration]
}
