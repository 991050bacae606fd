import CalotypeStandard

/// The report on a verification of a cache.
struct CacheVerificationReport: CacheReport {
    /// A problem that was found.
    struct Finding: Encodable {
        let path: String
        let reason: String
        let isMended: Bool
    }

    /// The number of intact entries, and their bytes.
    let entryCount: Int
    let byteCount: Int
    /// The number of entries that only other users can read.
    let foreignCount: Int
    /// The number of incomplete files that were removed.
    let leftoverCount: Int
    let findings: [Finding]

    init(_ verification: DiskVerification) {
        entryCount = verification.entryCount
        byteCount = verification.byteCount
        foreignCount = verification.foreignCount
        leftoverCount = verification.leftoverCount
        findings = verification.findings.map { Finding(path: $0.path, reason: $0.reason, isMended: $0.isMended) }
    }

    /// The number of unrepaired findings.
    var unmendedCount: Int { findings.filter { !$0.isMended }.count }

    /// A line for each finding, and a line with the counts.
    var text: String {
        let lines = findings.map { finding in
            "\(finding.path): \(finding.reason); \(finding.isMended ? "repaired" : "not repaired")".printable
        }
        var counts = ["\(Quantity.count(entryCount, "valid file")), \(Quantity.bytes(byteCount))"]
        if foreignCount > 0 { counts.append("\(Quantity.count(foreignCount, "incompatible file")) kept") }
        if leftoverCount > 0 { counts.append("\(Quantity.count(leftoverCount, "leftover file")) removed") }
        counts.append(findings.isEmpty ? "no problems" : conclusion)
        return (lines + [counts.joined(separator: "; ")]).joined(separator: "\n")
    }

    private var conclusion: String {
        let rest = unmendedCount == 0 ? "all repaired" : "\(unmendedCount) not repaired"
        return "\(Quantity.count(findings.count, "problem")), \(rest)"
    }
}
