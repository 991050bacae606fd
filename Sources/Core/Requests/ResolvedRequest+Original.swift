extension ResolvedRequest {
    /// The tiers in which the request stores the original.
    var tiersOfOriginal: CacheTiers {
        let type = variant.isOriginal ? context[.storeCacheType] : context[.originalStoreCacheType]
        return type.intersection(cacheOfOriginal?.tiers ?? [])
    }

    /// The tiers in which the decoding step stores the original. Memory is excluded if the request changes the decoded
    /// pixels, or if it asks for the original itself, which a later step stores in memory.
    var storeTiersOfOriginal: CacheTiers {
        variant.isOriginal || !decoding.isEmpty ? tiersOfOriginal.subtracting(.memory) : tiersOfOriginal
    }

    /// Returns whether the bytes of a loaded original are needed for the response or for the disk tier. The disk tier
    /// does not store bytes that are already in a local file (``LoadHead/isAtHand``).
    /// - Parameter head: The head that the loader reported; nil if there is none.
    func wantsWholeOriginal(_ head: LoadHead?) -> Bool {
        variant.isOriginal || tiersOfOriginal.contains(.disk) && head?.isAtHand != true
    }
}
