import CalotypeStandard

/// The report of `calotype cache verify`.
struct CacheVerificationReport: CacheReport {
    /// A problem of a file or directory in the cache.
    struct Finding: Encodable {
        let path: String
        /// The description of the problem.
        let reason: String
        /// Whether the problem was repaired.
        let isMended: Bool
    }

    /// The number of intact entries.
    let entryCount: Int
    /// The total size of the intact entries, in bytes.
    let byteCount: Int
    /// The number of entries that this tool cannot read, for example because another version of the library wrote them.
    /// These entries are kept.
    let foreignCount: Int
    /// The number of files that were removed because killed processes had left them behind.
    let leftoverCount: Int
    let findings: [Finding]

    init(_ verification: DiskVerification) {
        entryCount = verification.entryCount
        byteCount = verification.byteCount
        foreignCount = verification.foreignCount
        leftoverCount = verification.leftoverCount
        findings = verification.findings.map { Finding(path: $0.path, reason: $0.reason, isMended: $0.isMended) }
    }

    /// The number of problems that were not repaired.
    var unmendedCount: Int { findings.filter { !$0.isMended }.count }

    /// The report for people: a line for each problem, and a line with the counts.
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
