public import Calotype

/// Checks a memory cache against the contract of ``MemoryCache`` and returns the breaches.
///
/// Use this function in tests of the cache, with any test framework:
///
/// ```swift
/// let findings = await checkMemoryCache { time in BoundedMemoryCache(policy: .lru, time: time) }
/// precondition(findings.isEmpty, "\(findings)")
/// ```
///
/// The checks are deterministic, apart from the order of threads. A cache that traps terminates the process; in that
/// case, run the check under a debugger or ThreadSanitizer.
/// - Parameters:
///   - checks: The checks to run. Default: all. Omit ``MemoryCacheCheck/expiry`` for a cache with its own clock.
///   - make: A closure that creates an empty cache with room for 100 images and 1 MiB. The cache must use the given
///     clock and keep images without a time to live for at least an hour. The closure is called for each check.
/// - Returns: The findings, at most one for each check; empty if the cache fulfills the contract.
public func checkMemoryCache(
    checks: Set<MemoryCacheCheck> = Set(MemoryCacheCheck.allCases),
    _ make: @escaping @Sendable (_ time: any TimeSource) -> any MemoryCache
) async -> [MemoryCacheFinding] {
    await CoderExamination.onThreadOfItsOwn {
        MemoryCacheCheck.allCases.filter { checks.contains($0) }.compactMap { check -> MemoryCacheFinding? in
            CacheTrial.message { time in try MemoryCacheSubject(cache: make(time), time: time).run(check) }
                .map { MemoryCacheFinding(check: check, message: $0) }
        }
    }
}
