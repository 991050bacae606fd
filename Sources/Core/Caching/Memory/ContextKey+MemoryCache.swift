extension ContextKey where Value == Bool {
    /// Whether a request accepts a larger size of the picture from memory.
    public static let allowLargerCached = ContextKey(
        "allowLargerCached", summary: "Accept the picture in a larger size, unchanged, if memory has one.")
}

extension ContextSetting {
    /// Accepts a larger size of the picture from memory if memory does not have the size of `thumbnailPixelSize`. The
    /// image is delivered at once and unchanged, so it can be larger than requested. Scale it when you show it.
    /// Default: off.
    ///
    /// The larger picture is the whole picture or a larger thumbnail. It agrees with the request in everything that
    /// changes pixels, except the size. It is at least as large as the requested thumbnail would be. If memory has
    /// several such pictures, the smallest is used. Nothing is stored under the key of the requested size, and the
    /// statistics of memory count a hit.
    ///
    /// Has no effect on requests with transformers, whose results would be different for a larger picture, or on
    /// requests for thumbnails that do not preserve the aspect ratio.
    public static var allowLargerCached: ContextSetting { .on(.allowLargerCached) }
}

extension ContextDeclaration {
    /// The declarations of the context keys for the memory cache.
    static let memoryCache: [ContextDeclaration] = [ContextKey.allowLargerCached.declaration]
}
