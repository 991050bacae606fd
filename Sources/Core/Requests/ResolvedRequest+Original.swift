extension ResolvedRequest {
    /// The tiers in which an original is kept, of those that there are. If the variant is the original itself, the
    /// values for variants decide.
    var tiersOfOriginal: CacheTiers {
        let type = variant.isOriginal ? context[.storeCacheType] : context[.originalStoreCacheType]
        return type.intersection(cacheOfOriginal?.tiers ?? [])
    }

    /// The tiers that the decode of the original stores it in. Memory takes the image of a plain decode only, and the
    /// image of a request whose variant is the original is stored with its other images.
    var storeTiersOfOriginal: CacheTiers {
        variant.isOriginal || !decoding.isEmpty ? tiersOfOriginal.subtracting(.memory) : tiersOfOriginal
    }

    /// Whether the bytes of a loaded original are needed apart from its decodes: for a response, or for a disk.
    /// - Parameter head: What the loader said before the first byte.
    func wantsWholeOriginal(_ head: LoadHead?) -> Bool {
        variant.isOriginal || tiersOfOriginal.contains(.disk) && head?.isAtHand != true
    }
}
