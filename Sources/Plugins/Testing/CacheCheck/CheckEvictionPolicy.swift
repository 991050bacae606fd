public import Calotype

/// Tries an eviction policy, and says where it breaks the contract of ``EvictionPolicy``: it knows at any time exactly
/// the slots that were inserted and neither removed nor evicted since, and copies of it are independent.
///
/// ```swift
/// let findings = checkEvictionPolicy(LargestFirstPolicy())
/// precondition(findings.isEmpty, "\(findings)")
/// ```
///
/// Which slot it chooses is its own affair. What is tried is the same in every run.
/// - Parameter policy: One that knows no slot.
/// - Returns: What was found; empty for a policy that keeps the contract.
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
