extension ContextKey where Value == [Placeholder] {
    /// The images that are shown until the requested one is there.
    public static let placeholders = ContextKey(
        "placeholders", default: [], isKeptByImages: false,
        summary: "The placeholders that are shown until the image is there, from the worst to the best."
    ) { chain in
        chain.isEmpty ? "none" : chain.map(\.description).joined(separator: ", then ")
    }
}

extension ContextSetting {
    /// Sets the images that are shown until the requested one is there, from the worst to the best: see
    /// ``Placeholder``. None is shown if the image is in memory. Default: none.
    public static func placeholders(_ chain: [Placeholder]) -> ContextSetting { .set(.placeholders, to: chain) }
}

extension ContextDeclaration {
    /// The keys of placeholders.
    static let placeholders: [ContextDeclaration] = [ContextKey.placeholders.declaration]
}
