extension ResolvedContext {
    /// The values that an animation keeps for the frames that it has yet to decode.
    ///
    /// Values that can hold an image are left out. A cache that holds the image, for example, would never be released.
    var forFrames: ResolvedContext {
        ResolvedContext(layers: [(.request, ImageContext(settings.filter { $0.declaration.isKeptByImages }))])
    }

    /// Returns the values of keys that have at least one of `effects`.
    func settings(affecting effects: ContextEffects) -> ImageContext {
        ImageContext(settings.filter { !$0.declaration.effects.isDisjoint(with: effects) })
    }

    private var settings: [ContextSetting] { entries.map(\.setting) }
}
