public import Calotype

/// Checks an eviction policy against the contract of ``EvictionPolicy`` and returns the breaches.
///
/// A slot is a number that identifies an image in a cache. A policy must keep each inserted slot until the slot is
/// removed or evicted, and must contain no other slots. Copies of a policy must be independent.
///
/// ```swift
/// let findings = checkEvictionPolicy(LargestFirstPolicy())
/// precondition(findings.isEmpty, "\(findings)")
/// ```
///
/// A policy may evict its slots in any order. The check is deterministic.
/// - Parameter policy: A policy without slots.
/// - Returns: The findings; empty if the policy fulfills the contract.
public func checkEvictionPolicy(_ policy: some EvictionPolicy) -> [EvictionPolicyFinding] {
    let subject = EvictionPolicySubject(policy: policy)
    let checks = [
        subject.checkVictims, subject.checkUses, subject.checkRemoval, subject.checkCosts, subject.checkCopies,
        subject.checkSequences, subject.checkLimits,
    ]
    return checks.compactMap { check -> EvictionPolicyFinding? in
        do {
            try check()
            return nil
        } catch {
            return EvictionPolicyFinding(message: "\(error)")
        }
    }
}
