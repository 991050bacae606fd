extension ContextKey where Value == [Placeholder] {
    /// The placeholders that are shown until the requested image is available.
    public static let placeholders = ContextKey(
        "placeholders", default: [], isKeptByImages: false,
        summary: "The placeholders that are shown until the image is there, from the worst to the best."
    ) { chain in
        chain.isEmpty ? "none" : chain.map(\.description).joined(separator: ", then ")
    }
}

extension ContextSetting {
    /// Sets the placeholders that are shown until the requested image is available, from the worst to the best.
    /// Default: none.
    ///
    /// No placeholder is shown if the image is in memory. See ``Placeholder``.
    public static func placeholders(_ chain: [Placeholder]) -> ContextSetting { .set(.placeholders, to: chain) }
}

extension ContextDeclaration {
    /// The declarations of the context keys for placeholders.
    static let placeholders: [ContextDeclaration] = [ContextKey.placeholders.declaration]
}
