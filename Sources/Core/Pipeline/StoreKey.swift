/// The identity of a stored entry, and its cache.
struct StoreKey: Hashable, Sendable {
    let cache: ObjectIdentifier
    let variant: VariantKey

    init(_ variant: VariantKey, in cache: any ImageCache) {
        self.cache = ObjectIdentifier(cache)
        self.variant = variant
    }
}
