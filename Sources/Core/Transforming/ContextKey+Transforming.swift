extension ContextKey where Value == [any Transformer] {
    /// The transformers of the decoded picture, which are applied one after another. Default: none.
    public static let transformers = ContextKey(
        "transformers", default: [], affects: .pixels, isKeptByImages: false,
        summary: "The transformers of the decoded picture, in order."
    ) { steps in
        steps.isEmpty ? "none" : steps.map(\.shownKey).joined(separator: "|")
    }
}

extension ContextKey where Value == Bool {
    /// Whether animations are transformed. Default: true. If not, transformers apply to stills only.
    public static let transformsAnimations = ContextKey(
        "transformsAnimations", default: true, affects: [.pixels, .transforming],
        summary: "Transform animations, frame by frame; when off, only stills.")
}

extension ContextSetting {
    /// Sets the only transformer of the decoded picture. Default: none.
    public static func transformer(_ step: any Transformer) -> ContextSetting { .transformers([step]) }
    /// Sets the transformers of the decoded picture, in the order in which they are applied. Default: none.
    public static func transformers(_ steps: [any Transformer]) -> ContextSetting { .set(.transformers, to: steps) }
    /// Sets whether animations are transformed, frame by frame. Default: true.
    ///
    /// If not, an animation is returned as it is decoded. A single frame that is decoded as a still is transformed.
    public static func transformsAnimations(_ isOn: Bool) -> ContextSetting { .set(.transformsAnimations, to: isOn) }
}

extension ContextDeclaration {
    /// The declarations of the context keys for transforming.
    static let transforming: [ContextDeclaration] = [
        ContextKey.transformers.declaration, ContextKey.transformsAnimations.declaration,
    ]
}
