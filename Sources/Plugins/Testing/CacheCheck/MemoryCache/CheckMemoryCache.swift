public import Calotype

/// Tries a memory cache, and says where it breaks the contract of ``MemoryCache``.
///
/// For tests of caches, whatever framework they use:
///
/// ```swift
/// let findings = await checkMemoryCache { time in BoundedMemoryCache(policy: .lru, time: time) }
/// precondition(findings.isEmpty, "\(findings)")
/// ```
///
/// What is tried is the same in every run, but for the turns that threads take. A cache that traps ends the process:
/// run it under a debugger, or under ThreadSanitizer.
/// - Parameters:
///   - checks: What is tried. Default: everything. For a cache with a clock of its own, leave out
///     ``MemoryCacheCheck/expiry``.
///   - make: Makes a cache that is empty, has room for 100 images and 1 MiB, keeps images without a time of their own
///     for an hour, and keeps time by the clock that it is given. Called for each check.
/// - Returns: What was found, at most one of each check; empty for a cache that keeps the contract.
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
