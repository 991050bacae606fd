// The identities of shared work: two requests with equal keys share it.

/// The identity of a place in a cache: the cache, and the key of an entry.
struct StoreKey: Hashable, Sendable {
    let cache: ObjectIdentifier
    let variant: VariantKey

    init(_ variant: VariantKey, in cache: any ImageCache) {
        self.cache = ObjectIdentifier(cache)
        self.variant = variant
    }
}

/// The identity of a read of a cache entry. After a change to the cached data, requests do not share earlier reads.
struct EntryKey: Hashable, Sendable {
    let place: StoreKey
    private let changeCount: Int

    init(_ variant: VariantKey, in cache: any ImageCache, after changes: CacheChanges) {
        place = StoreKey(variant, in: cache)
        changeCount = changes.count(of: variant.source)
    }
}

/// The identity of the work of reading and decoding a variant. The transfer is included because its
/// ``TransferID/policy`` contains the time limit of the decode.
struct ReadKey: Hashable, Sendable {
    let entry: EntryKey
    let transfer: TransferID
}

/// The identity of a transfer in progress.
struct TransferKey: Hashable, Sendable {
    let transfer: TransferID
    /// The validators sent to the source; nil if the source has to send the original in any case.
    let validators: Validators?
}

/// The places that an original may come from.
enum OriginalAccess: Hashable, Sendable {
    /// The original comes only from a cache.
    case cacheOnly
    /// The original comes from a cache, or else from the loader.
    case cacheFirst
    /// The original comes from the loader, or from a cache if the loader confirms that the cached copy is still valid.
    case refresh
}

/// The identity of a wanted original, and the places that it may come from.
struct OriginalKey: Hashable, Sendable {
    let transfer: TransferID
    let key: VariantKey
    /// The cache that may be asked; nil for none.
    private(set) var cache: ObjectIdentifier?
    private(set) var tiers: CacheTiers
    let access: OriginalAccess
    /// The value of ``CacheChanges/count(of:)`` when the request asked for the original. The request does not share
    /// work that began before the last change.
    let changeCount: Int

    /// Creates the key of a request's original.
    /// - Parameter access: Whether to use caches, the loader or both; nil to follow the request's settings.
    init(_ request: ResolvedRequest, access: OriginalAccess? = nil, after changes: CacheChanges) {
        let context = request.context
        if context[.fromLoaderOnly] {
            tiers = []
        } else if request.variant.isOriginal {
            // Memory was asked before. By default, the tiers equal those for the original of a variant, so that both
            // requests share the work.
            tiers = context[.queryCacheType].intersection(.disk)
        } else {
            let type = context[.originalQueryCacheType]
            tiers = request.decodesPlainly ? type : type.intersection(.disk)
        }
        let cache = tiers.isDisjoint(with: request.cacheOfOriginal?.tiers ?? []) ? nil : request.cacheOfOriginal
        transfer = request.transfer
        key = request.variant.original
        self.cache = cache.map { ObjectIdentifier($0) }
        self.access = access ?? (context[.fromCacheOnly] ? .cacheOnly : .cacheFirst)
        changeCount = changes.count(of: request.variant.source)
    }

    /// Whether the loader may be asked.
    var isLoadingAllowed: Bool { access != .cacheOnly }

    /// The key of the same original without a lookup in memory, which keeps originals only as images.
    var withoutMemory: OriginalKey {
        guard tiers.contains(.disk) else { return withoutCache }
        var key = self
        key.tiers = .disk
        return key
    }

    /// The key of the same original without a lookup in any cache.
    var withoutCache: OriginalKey {
        var key = self
        key.cache = nil
        key.tiers = []
        return key
    }
}

/// The identity of a decode: the original and the settings.
struct DecodeKey: Hashable, Sendable {
    let original: OriginalKey
    /// The canonical text of the context values that affect the decoded image.
    let decoding: String

    /// Creates the key of the decode for a request.
    /// - Parameter access: Whether to use caches, the loader or both; nil to follow the request's settings.
    init(_ request: ResolvedRequest, access: OriginalAccess? = nil, after changes: CacheChanges) {
        original = OriginalKey(request, access: access, after: changes)
        decoding = request.decoding
    }

    /// Returns whether two keys are equal. Texts are compared byte by byte, as in the cache keys of the results.
    static func == (one: DecodeKey, other: DecodeKey) -> Bool {
        one.original == other.original && one.decoding.isSame(as: other.decoding)
    }
}

/// The identity of a transformation: the decode that makes the image, and the transformers applied so far.
struct TransformKey: Hashable, Sendable {
    let decode: DecodeKey
    let steps: [String]
    /// Whether the steps apply to stills only.
    var leavesAnimations = false

    /// Returns whether two keys are equal. Texts are compared byte by byte, as in the cache keys of the results.
    static func == (one: TransformKey, other: TransformKey) -> Bool {
        one.decode == other.decode && one.leavesAnimations == other.leavesAnimations
            && one.steps.elementsEqual(other.steps) { $0.isSame(as: $1) }
    }
}
