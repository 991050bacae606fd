extension ContextKey where Value == [any Transformer] {
    /// The transformers of the decoded picture, which are applied one after another. Default: none.
    public static let transformers = ContextKey(
        "transformers", default: [], affects: .pixels, isKeptByImages: false,
        summary: "The transformers of the decoded picture, in order."
    ) { steps in
        steps.isEmpty ? "none" : steps.map(\.key).joined(separator: "|")
    }
}

extension ContextSetting {
    /// Sets the only transformer of the decoded picture. Default: none.
    public static func transformer(_ step: any Transformer) -> ContextSetting { .transformers([step]) }
    /// Sets the transformers of the decoded picture, in the order in which they are applied. Default: none.
    public static func transformers(_ steps: [any Transformer]) -> ContextSetting { .set(.transformers, to: steps) }
}

extension ContextDeclaration {
    /// The declarations of the context keys for transforming.
    static let transforming: [ContextDeclaration] = [ContextKey.transformers.declaration]
}
