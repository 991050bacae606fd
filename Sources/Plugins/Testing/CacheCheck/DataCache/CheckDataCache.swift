public import Calotype

/// Checks a data cache against the contract of ``DataCache`` and returns the breaches.
///
/// Use this function in tests of the cache, with any test framework:
///
/// ```swift
/// let findings = await checkDataCache { time in try SQLiteCache(at: newDirectory(), time: time) }
/// precondition(findings.isEmpty, "\(findings)")
/// ```
///
/// The checks are deterministic, apart from the order of threads. A cache that traps terminates the process; in that
/// case, run the check under a debugger or ThreadSanitizer.
/// - Parameters:
///   - checks: The checks to run. Default: all. Omit ``DataCacheCheck/expiring`` and ``DataCacheCheck/age`` for a cache
///     with its own clock, and ``DataCacheCheck/tags`` and ``DataCacheCheck/age`` for a cache that cannot remove by tag
///     or age.
///   - make: A closure that creates an empty cache with room for 300 entries and 8 MiB. The cache must use the given
///     clock, keep entries for at least a month, and count their age from their last use. The closure is called once
///     for each check, on a thread that may block.
///   - reopen: A closure that opens a second cache on the store of the cache that `make` returned last, as another
///     process would. Both caches then exist at the same time. The closure is called on a thread that may block. Nil,
///     the default, skips ``DataCacheCheck/reopening``.
/// - Returns: The findings, at most one for each check; empty if the cache fulfills the contract.
public func checkDataCache(
    checks: Set<DataCacheCheck> = Set(DataCacheCheck.allCases),
    _ make: @escaping @Sendable (_ time: any TimeSource) throws -> any DataCache,
    reopen: (@Sendable (_ time: any TimeSource) throws -> any DataCache)? = nil
) async -> [DataCacheFinding] {
    await CoderExamination.onThreadOfItsOwn {
        DataCacheCheck.allCases.filter { checks.contains($0) }.compactMap { check -> DataCacheFinding? in
            CacheTrial.message { time in
                try DataCacheSubject(cache: make(time), time: time, reopen: reopen).run(check)
            }
            .map { DataCacheFinding(check: check, message: $0) }
        }
    }
}
