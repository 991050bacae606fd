public import Calotype

/// Checks an image cache against the contract of ``ImageCache`` and returns the breaches.
///
/// Use this function in tests of the cache, with any test framework:
///
/// ```swift
/// let findings = await checkImageCache { time in
///     try TieredCache(memory: BoundedMemoryCache(time: time), disk: SQLiteCache(at: newDirectory(), time: time))
/// }
/// precondition(findings.isEmpty, "\(findings)")
/// ```
///
/// The memory tier must pass the checks of ``checkMemoryCache(checks:_:)``, and the disk tier must pass the checks of
/// ``checkDataCache(checks:_:reopen:)``. The other checks concern both tiers together. The checks are deterministic,
/// apart from the order of threads. A cache that traps terminates the process; in that case, run the check under a
/// debugger or ThreadSanitizer.
/// - Parameters:
///   - checks: The checks to run. Default: all. Use ``ImageCacheCheck/ofMemory`` for a cache without a disk tier, and
///     ``ImageCacheCheck/ofDisk`` for a cache without a memory tier. For a cache with its own clock, omit
///     ``ImageCacheCheck/expiring``, ``MemoryCacheCheck/expiry``, ``DataCacheCheck/expiring`` and
///     ``DataCacheCheck/age``. For a cache that cannot remove by tag or age, omit ``ImageCacheCheck/tags``,
///     ``DataCacheCheck/tags`` and ``DataCacheCheck/age``. For a cache that keeps several copies and adds up their
///     counts, such as a `CacheGroup` that stores to all members, omit ``ImageCacheCheck/statistics``,
///     ``MemoryCacheCheck/statistics`` and ``DataCacheCheck/statistics``.
///   - make: A closure that creates an empty cache with room for 100 images and 1 MiB in memory, and for 300 entries
///     and 8 MiB on disk. The cache must use the given clock, keep images without a time to live for at least an hour
///     and entries for at least a month, and count the age of entries from their last use. The closure is called once
///     for each check, on a thread that may block.
/// - Returns: The findings, at most one for each check; empty if the cache fulfills the contract.
public func checkImageCache(
    checks: Set<ImageCacheCheck> = Set(ImageCacheCheck.allCases),
    _ make: @escaping @Sendable (_ time: any TimeSource) throws -> any ImageCache
) async -> [ImageCacheFinding] {
    await CoderExamination.onThreadOfItsOwn {
        ImageCacheCheck.allCases.filter { checks.contains($0) }.compactMap { check -> ImageCacheFinding? in
            CacheTrial.message { time in try ImageCacheSubject(cache: make(time), time: time).run(check) }
                .map { ImageCacheFinding(check: check, message: $0) }
        }
    }
}
