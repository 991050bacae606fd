public import Calotype

/// Tries a data cache, and says where it breaks the contract of ``DataCache``.
///
/// For tests of caches, whatever framework they use:
///
/// ```swift
/// let findings = await checkDataCache { time in try SQLiteCache(at: newDirectory(), time: time) }
/// precondition(findings.isEmpty, "\(findings)")
/// ```
///
/// What is tried is the same in every run, but for the turns that threads take. A cache that traps ends the process:
/// run it under a debugger, or under ThreadSanitizer.
/// - Parameters:
///   - checks: What is tried. Default: everything. For a cache with a clock of its own, leave out
///     ``DataCacheCheck/expiring`` and ``DataCacheCheck/age``; for one that cannot remove by tag or age, those.
///   - make: Makes a cache that is empty, has room for 300 entries and 8 MiB, keeps entries for a month and counts age
///     since the last use, by the clock that it is given. Called for each check, on a thread that may block.
///   - reopen: Opens another cache on the store that the last call of `make` made one for, while that one is there
///     still: as the next process would, or another one on the same machine or server. Called on a thread that may
///     block. Nil, the default, leaves out ``DataCacheCheck/reopening``.
/// - Returns: What was found, at most one of each check; empty for a cache that keeps the contract.
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
