/// Which original is wanted, and where it may come from.
struct OriginalKey: Hashable, Sendable {
    let transfer: TransferID
    let key: VariantKey
    /// The cache that may be asked; nil for none.
    let cache: ObjectIdentifier?
    let tiers: CacheTiers
    let isLoadingAllowed: Bool
    /// How many changes of its source had ended: what was begun before the last of them is not shared.
    let changeCount: Int

    init(_ resolution: Resolution, after changes: CacheChanges) {
        let context = resolution.context
        let tiers: CacheTiers
        if context[.fromLoaderOnly] {
            tiers = []
        } else if resolution.variant.isOriginal {
            // Memory was asked before. What is left is the same as for a variant, so that both share the reading.
            tiers = context[.queryCacheType].intersection(.disk)
        } else {
            let type = context[.originalQueryCacheType]
            tiers = resolution.decodesPlainly ? type : type.intersection(.disk)
        }
        let cache = tiers.isDisjoint(with: resolution.cacheOfOriginal?.tiers ?? []) ? nil : resolution.cacheOfOriginal
        self.init(
            transfer: resolution.transfer, key: resolution.variant.original,
            cache: cache.map { ObjectIdentifier($0) }, tiers: tiers, isLoadingAllowed: !context[.fromCacheOnly],
            changeCount: changes.count(of: resolution.variant.source))
    }

    private init(
        transfer: TransferID, key: VariantKey, cache: ObjectIdentifier?, tiers: CacheTiers, isLoadingAllowed: Bool,
        changeCount: Int
    ) {
        self.transfer = transfer
        self.key = key
        self.cache = cache
        self.tiers = tiers
        self.isLoadingAllowed = isLoadingAllowed
        self.changeCount = changeCount
    }

    /// The same original, without asking a cache for it.
    var withoutCache: OriginalKey {
        OriginalKey(
            transfer: transfer, key: key, cache: nil, tiers: [], isLoadingAllowed: isLoadingAllowed,
            changeCount: changeCount)
    }
}

extension Pipeline {
    /// The original: from memory, from the data tier, or loaded.
    func original(
        _ key: OriginalKey, _ resolution: Resolution, interest: Interest,
        onReport: (@Sendable (WorkReport) -> Void)? = nil
    ) async throws -> Original {
        try await originals.value(for: key, interest: interest, onReport: onReport) { interest in
            if key.cache != nil, let cache = resolution.cacheOfOriginal {
                if key.tiers.contains(.memory), let original = self.remembered(key.key, in: cache, resolution) {
                    return original
                }
                if key.tiers.intersection(cache.tiers).contains(.disk),
                    let read = try await self.read(key.key, from: cache, resolution, interest: interest)
                {
                    return Original(
                        .bytes(ImageBytes(read.entry.data)), source: .disk, head: LoadHead(read.entry),
                        steps: [read.step], expiration: read.entry.expiration, share: read.share)
                }
            }
            guard key.isLoadingAllowed else {
                throw ImageError(
                    .notCached, stage: .query, message: "is in no cache, and loading is not allowed",
                    advice: "turn off `fromCacheOnly` to load it")
            }
            return try await self.transfers.value(for: key.transfer, interest: interest) { interest in
                if let original = self.originalsInUse.original(by: key.transfer), original.bytes?.failure == nil {
                    return original
                }
                let original = try await self.load(resolution, unlessHolds: nil, interest: interest)
                self.originalsInUse.note(original, by: key.transfer)
                return original
            }
        }
    }

    /// The original as memory has it, and until when.
    private func remembered(_ key: VariantKey, in cache: any ImageCache, _ resolution: Resolution) -> Original? {
        // Asked first: an image that goes in between is no image, rather than one without an end.
        let expiration = cache.remainingTime(for: key).map { time.wallTime() + $0.seconds }
        guard let image = cache.image(for: key) else { return nil }
        // What a cache had was storable; but memory keeps data URIs too, which disks are spared.
        return Original(
            .image(image), source: .memory, expiration: expiration, isStorable: !resolution.url.isDataURI)
    }
}
