extension ResolvedRequest {
    /// The tiers in which the original is stored, among those that its cache has. If the variant is the original
    /// itself, the values for variants decide.
    var tiersOfOriginal: CacheTiers {
        let type = variant.isOriginal ? context[.storeCacheType] : context[.originalStoreCacheType]
        return type.intersection(cacheOfOriginal?.tiers ?? [])
    }

    /// The tiers that the decode stores the original in. Memory accepts only the image of a plain decode. If the
    /// variant is the original itself, its image is stored with the request's other images, and not by the decode.
    var storeTiersOfOriginal: CacheTiers {
        variant.isOriginal || !decoding.isEmpty ? tiersOfOriginal.subtracting(.memory) : tiersOfOriginal
    }

    /// Whether the bytes of a loaded original are needed apart from its decodes: for a response, or for the disk tier.
    /// - Parameter head: The head that the loader reported before the first byte; nil if there is none.
    func wantsWholeOriginal(_ head: LoadHead?) -> Bool {
        variant.isOriginal || tiersOfOriginal.contains(.disk) && head?.isAtHand != true
    }
}
