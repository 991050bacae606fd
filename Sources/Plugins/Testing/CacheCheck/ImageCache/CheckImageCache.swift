public import Calotype

/// Tries an image cache, and says where it breaks the contract of ``ImageCache``.
///
/// For tests of caches, whatever framework they use:
///
/// ```swift
/// let findings = await checkImageCache { time in
///     try TieredCache(memory: BoundedMemoryCache(time: time), data: SQLiteCache(at: newDirectory(), time: time))
/// }
/// precondition(findings.isEmpty, "\(findings)")
/// ```
///
/// Each tier is tried as ``checkMemoryCache(checks:_:)`` and ``checkDataCache(checks:_:reopen:)`` try theirs; the other
/// checks are of what the tiers have to do with each other. What is tried is the same in every run, but for the turns
/// that threads take. A cache that traps ends the process: run it under a debugger, or under ThreadSanitizer.
/// - Parameters:
///   - checks: What is tried. Default: everything. For a cache without a disk tier, ``ImageCacheCheck/ofMemory``; for
///     one without memory, ``ImageCacheCheck/ofData``. For a cache with a clock of its own, leave out
///     ``ImageCacheCheck/expiring`` and what those of its tiers leave out; for one that cannot remove by tag or age,
///     ``ImageCacheCheck/tags``, and ``DataCacheCheck/tags`` and ``DataCacheCheck/age`` of its disk tier; for one that
///     keeps several copies and adds up what others count, as a `CacheGroup` does where its policy is to store to all,
///     ``ImageCacheCheck/statistics`` and those of its tiers.
///   - make: Makes a cache that is empty, has room for 100 images and 1 MiB in memory and for 300 entries and 8 MiB of
///     data, keeps images without a time of their own for an hour and entries for a month, and counts age since the
///     last use, by the clock that it is given. Called for each check, on a thread that may block.
/// - Returns: What was found, at most one of each check; empty for a cache that keeps the contract.
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
