public import Calotype

/// Checks a transformer against the contract of ``Transformer``, and returns the breaches.
///
/// Use this function in tests of the transformer, with any test framework. Pass the same transformer with other
/// parameters as well, one for each parameter:
///
/// ```swift
/// let findings = await checkTransformer(Frame(width: 4), others: [Frame(width: 5), Frame(width: 4, color: .white)])
/// precondition(findings.isEmpty, "\(findings)")
/// ```
///
/// The transformer receives opaque, gray and translucent pictures, in all pixel formats, with sides from 1 to 96
/// pixels. It may refuse some of them with an error. The checks are deterministic. A transformer that traps terminates
/// the process.
///
/// A ``ComposingTransformer`` receives drawn pictures of up to 24x16 pixels as the images that it needs. Nothing is
/// loaded.
/// - Parameters:
///   - transformer: The transformer.
///   - others: Transformers of the same kind with other parameters.
///   - checks: The checks to run. Default: all.
/// - Returns: The findings; empty if the transformer fulfills the contract. A check adds at most one finding for each
///   picture.
public func checkTransformer(
    _ transformer: any Transformer, others: [any Transformer] = [],
    checks: Set<TransformerCheck> = Set(TransformerCheck.allCases)
) async -> [TransformerFinding] {
    let examination = TransformerExamination(transformer: transformer, others: others)
    var findings: [TransformerFinding] = []
    for check in TransformerCheck.allCases where checks.contains(check) {
        findings += await examination.findings(of: check)
    }
    return findings
}
