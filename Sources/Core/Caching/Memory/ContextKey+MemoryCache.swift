extension ContextKey where Value == Bool {
    /// Whether a larger size in memory will do.
    public static let allowLargerCached = ContextKey(
        "allowLargerCached", summary: "Accept the picture in a larger size, unchanged, if memory has one.")
}

extension ContextSetting {
    /// Take a larger picture from memory if that has one and not the size of `thumbnailPixelSize`. It comes at once and
    /// as it is, so the image can be larger than requested. The view that shows it makes it fit.
    ///
    /// It is a picture of the same source for which everything was said that changes pixels but the size, or the whole
    /// picture; the smallest there is, and never one with fewer pixels than the size asked for. Nothing is kept under
    /// the key of that size; to the statistics of memory it is a hit. Says nothing for requests with transformers,
    /// whose steps would have been taken in other proportions, and for thumbnails that do not keep the picture's shape.
    public static var allowLargerCached: ContextSetting { .on(.allowLargerCached) }
}

extension ContextDeclaration {
    /// The keys of the memory cache.
    static let memoryCache: [ContextDeclaration] = [ContextKey.allowLargerCached.declaration]
}
