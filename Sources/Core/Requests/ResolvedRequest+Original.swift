extension ResolvedRequest {
    /// The tiers in which the original, the image as loaded, is stored. Only tiers of the original's cache are
    /// included. If the request asks for the original itself, the setting `storeCacheType` decides; otherwise,
    /// `originalStoreCacheType` decides.
    var tiersOfOriginal: CacheTiers {
        let type = variant.isOriginal ? context[.storeCacheType] : context[.originalStoreCacheType]
        return type.intersection(cacheOfOriginal?.tiers ?? [])
    }

    /// The tiers in which the decoding step stores the original. Memory is excluded if options of the request change
    /// the decoded pixels. Memory is also excluded if the request asks for the original itself, because a later step
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
