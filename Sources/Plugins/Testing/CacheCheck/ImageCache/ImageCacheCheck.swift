/// A part of the contract of image caches that ``checkImageCache(checks:_:)`` can check.
public enum ImageCacheCheck: Sendable, Hashable, CaseIterable {
    /// A check of memory caches that is applied to the memory tier.
    case memory(MemoryCacheCheck)
    /// A check of data caches that is applied to the disk tier. ``DataCacheCheck/reopening`` is not supported.
    case data(DataCacheCheck)
    /// An image is found only in the memory tier, and an entry only in the disk tier. The cache reports both tiers.
    case separating
    /// `contains` returns those of the given tiers in which a read would find the key.
    case containing
    /// An image and an entry with the same key expire independently.
    case expiring
    /// Removing a key removes it from the given tiers and removes nothing else. Removing it again is not an error.
    case removing
    /// Removing a source removes all its variants from the given tiers and removes nothing else.
    case sources
    /// Removing a tag removes the entries with that tag from the disk tier, and all images from the memory tier.
    case tags
    /// Clearing removes everything from the given tiers, which remain usable.
    case clearing
    /// A removal from both tiers removes from memory last. Otherwise a lookup could miss a key in memory and then find
    /// it on disk.
    case order
    /// A cache with statistics counts the reads and stores of each tier.
    case statistics
    /// Concurrent threads that use different tiers do not interfere with each other.
    case threadSafety

    /// The checks for a cache without a disk tier.
    public static let ofMemory = Set(MemoryCacheCheck.allCases.map(ImageCacheCheck.memory))
    /// The checks for a cache without a memory tier.
    public static let ofDisk = Set(diskChecks)

    public static let allCases: [ImageCacheCheck] =
        MemoryCacheCheck.allCases.map(ImageCacheCheck.memory) + diskChecks + [
            .separating, .containing, .expiring, .removing, .sources, .tags, .clearing, .order, .statistics,
            .threadSafety,
        ]

    private static let diskChecks = DataCacheCheck.allCases.filter { $0 != .reopening }.map(ImageCacheCheck.data)
}
