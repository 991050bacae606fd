public import Calotype

/// Checks a coder against the contract of ``ImageCoder``, using valid files, and returns the breaches.
///
/// Use this function in tests of the coder, with any test framework:
///
/// ```swift
/// let findings = await checkCoder(QOICoder(), with: [CoderSample("plain", data), CoderSample("alpha", other)])
/// precondition(findings.isEmpty, "\(findings)")
/// ```
///
/// Pass a small file of each kind that the format supports, with sides of ten to a hundred pixels and at most 4 KB. A
/// check cuts each file off at every byte, or at up to 4,096 places in a longer file. The checks are deterministic. A
/// coder that traps terminates the process; in that case, run the check under a debugger, or under AddressSanitizer if
/// the coder uses C.
/// - Parameters:
///   - coder: The coder.
///   - samples: Valid files.
///   - checks: The checks to run. Default: all.
/// - Returns: The findings; empty if the coder fulfills the contract, or if `checks` is empty. A check adds at most one
///   finding for each sample, or two if the check has two parts. If `samples` is empty, no check runs, and a single
///   finding reports this.
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
