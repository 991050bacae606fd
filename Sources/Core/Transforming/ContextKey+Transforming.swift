extension ContextKey where Value == [any Transformer] {
    /// The transformers, applied one after another.
    public static let transformers = ContextKey(
        "transformers", default: [], affects: .pixels, isKeptByImages: false,
        summary: "The transformers of the decoded picture, in order."
    ) { steps in
        steps.isEmpty ? "none" : steps.map(\.key).joined(separator: "|")
    }
}

extension ContextSetting {
    /// Sets one transformer of the decoded picture.
    public static func transformer(_ step: any Transformer) -> ContextSetting { .transformers([step]) }
    /// Sets the transformers of the decoded picture, in order.
    public static func transformers(_ steps: [any Transformer]) -> ContextSetting { .set(.transformers, to: steps) }
}

extension ContextDeclaration {
    /// The keys of transforming.
    static let transforming: [ContextDeclaration] = [ContextKey.transformers.declaration]
}
