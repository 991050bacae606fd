extension ResolvedRequest {
    /// The tiers of the original's cache in which the original is stored. If the variant is the original itself, the
    /// setting for variants (`storeCacheType`) decides.
    var tiersOfOriginal: CacheTiers {
        let type = variant.isOriginal ? context[.storeCacheType] : context[.originalStoreCacheType]
        return type.intersection(cacheOfOriginal?.tiers ?? [])
    }

    /// The tiers in which the decoding step stores the original. Memory is not among them if options of the request
    /// change the decoded pixels. It is also not among them if the variant is the original itself, because a later step
    /// then stores the image.
    var storeTiersOfOriginal: CacheTiers {
        variant.isOriginal || !decoding.isEmpty ? tiersOfOriginal.subtracting(.memory) : tiersOfOriginal
    }

    /// Returns whether the bytes of a loaded original are needed not only for decoding, but also for the response or
    /// for the disk tier. Bytes that are already in a local file (``LoadHead/isAtHand``) are not stored in the disk
    /// tier.
    /// - Parameter head: The head that the loader reported before the first byte; nil if there is none.
    func wantsWholeOriginal(_ head: LoadHead?) -> Bool {
        variant.isOriginal || tiersOfOriginal.contains(.disk) && head?.isAtHand != true
    }
}
