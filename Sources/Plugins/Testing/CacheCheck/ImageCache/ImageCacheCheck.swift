/// A part of the contract of image caches that ``checkImageCache(checks:_:)`` can try.
public enum ImageCacheCheck: Sendable, Hashable, CaseIterable {
    /// A check of memory caches, for the memory tier.
    case memory(MemoryCacheCheck)
    /// A check of data caches, for the disk tier, except for reopening, which is tried with such a cache alone.
    case data(DataCacheCheck)
    /// An image stored in one tier is found there and in no other, and the cache says that it has both.
    case separating
    /// A cache that is asked which of some tiers have a key says which of those a read would find it in.
    case containing
    /// An image and an entry under one key end each at its own time.
    case expiring
    /// A key goes from the tiers that are named, and nothing else goes; removing it again is no error.
    case removing
    /// A source goes with all its variants from the tiers that are named, and nothing else goes.
    case sources
    /// Removing a tag removes its entries from the disk tier, and then everything from memory, whose images have no
    /// tags.
    case tags
    /// Clearing removes everything from the named tiers, and they can be used again.
    case clearing
    /// Removing from both tiers removes from memory last, so that nothing comes back from the disk tier.
    case order
    /// A cache that counts counts for each tier what that one was asked for.
    case statistics
    /// Several threads that name different tiers do not disturb each other.
    case threadSafety

    /// The checks for a cache without a disk tier.
    public static let ofMemory = Set(MemoryCacheCheck.allCases.map(ImageCacheCheck.memory))
    /// The checks for a cache without a memory tier.
    public static let ofData = Set(dataChecks)

    public static let allCases: [ImageCacheCheck] =
        MemoryCacheCheck.allCases.map(ImageCacheCheck.memory) + dataChecks + [
            .separating, .containing, .expiring, .removing, .sources, .tags, .clearing, .order, .statistics,
            .threadSafety,
        ]

    private static let dataChecks = DataCacheCheck.allCases.filter { $0 != .reopening }.map(ImageCacheCheck.data)
}
