/// The identity of a wanted original, and the places that it may come from.
struct OriginalKey: Hashable, Sendable {
    let transfer: TransferID
    let key: VariantKey
    /// The cache that may be asked; nil for none.
    private(set) var cache: ObjectIdentifier?
    private(set) var tiers: CacheTiers
    let access: OriginalAccess
    /// The number of changes of its source that had ended: work that began before the last of them is not shared.
    let changeCount: Int

    /// - Parameter access: Where it may come from; nil as the request says.
    init(_ resolved: ResolvedRequest, access: OriginalAccess? = nil, after changes: CacheChanges) {
        let context = resolved.context
        if context[.fromLoaderOnly] {
            tiers = []
        } else if resolved.variant.isOriginal {
            // Memory was asked before. What is left is the same as for a variant, so that both share it.
            tiers = context[.queryCacheType].intersection(.disk)
        } else {
            let type = context[.originalQueryCacheType]
            tiers = resolved.decodesPlainly ? type : type.intersection(.disk)
        }
        let cache = tiers.isDisjoint(with: resolved.cacheOfOriginal?.tiers ?? []) ? nil : resolved.cacheOfOriginal
        transfer = resolved.transfer
        key = resolved.variant.original
        self.cache = cache.map { ObjectIdentifier($0) }
        self.access = access ?? (context[.fromCacheOnly] ? .cacheOnly : .cacheFirst)
        changeCount = changes.count(of: resolved.variant.source)
    }

    var isLoadingAllowed: Bool { access != .cacheOnly }

    /// The same original, without asking a cache for it.
    var withoutCache: OriginalKey {
        var key = self
        key.cache = nil
        key.tiers = []
        return key
    }
}
