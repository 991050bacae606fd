extension ResolvedRequest {
    /// The tiers in which an original is kept, of those that there are. Where the variant is the original itself, the
    /// values for variants decide.
    var tiersOfOriginal: CacheTiers {
        let type = variant.isOriginal ? context[.storeCacheType] : context[.originalStoreCacheType]
        return type.intersection(cacheOfOriginal?.tiers ?? [])
    }

    /// Whether the bytes of a loaded original are needed apart from its decodes: for a response, or for a disk.
    /// - Parameter head: What the loader said before the first byte.
    func wantsWholeOriginal(_ head: LoadHead?) -> Bool {
        variant.isOriginal || tiersOfOriginal.contains(.disk) && head?.isAtHand != true
    }
}
