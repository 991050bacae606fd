import CalotypeStandard

/// What is told of a cache that was checked.
struct CacheVerificationReport: CacheReport {
    /// Something that was wrong.
    struct Finding: Encodable {
        let path: String
        let reason: String
        let isMended: Bool
    }

    /// The entries that are whole, and their bytes.
    let entryCount: Int
    let byteCount: Int
    /// The entries that only others can read.
    let foreignCount: Int
    /// Files left behind half written, which were removed.
    let leftoverCount: Int
    let findings: [Finding]

    init(_ verification: DiskVerification) {
        entryCount = verification.entryCount
        byteCount = verification.byteCount
        foreignCount = verification.foreignCount
        leftoverCount = verification.leftoverCount
        findings = verification.findings.map { Finding(path: $0.path, reason: $0.reason, isMended: $0.isMended) }
    }

    /// How much of what was wrong still is.
    var unmendedCount: Int { findings.filter { !$0.isMended }.count }

    /// A line for each finding, and one with the counts.
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
