public import Calotype

/// Tries a coder on files that it is to be good at, and says where it breaks the contract of ``ImageCoder``.
///
/// For tests of coders, whatever framework they use:
///
/// ```swift
/// let findings = await checkCoder(QOICoder(), with: [CoderSample("plain", data), CoderSample("alpha", other)])
/// precondition(findings.isEmpty, "\(findings)")
/// ```
///
/// Give it a small file of each kind that the format knows: sides of ten to a hundred pixels, and at most 4 KB, since a
/// file is cut off at each of its bytes, or at 4,096 of them. What is tried is the same in every run. A coder that
/// traps ends the process: run it under a debugger, or under AddressSanitizer if there is C in it.
/// - Parameters:
///   - coder: The coder.
///   - samples: Files without a fault.
///   - checks: What is tried. Default: everything.
/// - Returns: What was found: of each part of a check that fails for a sample, the first thing. Empty for a coder that
///   keeps the contract. Without samples that alone is found.
public func checkCoder(
    _ coder: any ImageCoder, with samples: [CoderSample], checks: Set<CoderCheck> = Set(CoderCheck.allCases)
) async -> [CoderFinding] {
    guard !samples.isEmpty else {
        return CoderCheck.allCases.first { checks.contains($0) }.map { [CoderExamination.findingOfNothing($0)] } ?? []
    }
    let examination = CoderExamination(coder: coder, samples: samples)
    var findings: [CoderFinding] = []
    for check in CoderCheck.allCases where checks.contains(check) {
        findings += await examination.findings(of: check)
    }
    return findings
}
