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
            "\(finding.path): \(finding.reason); \(finding.isMended ? "mended" : "not mended")".printable
        }
        var counts = ["\(Quantity.count(entryCount, "file")) whole, \(Quantity.bytes(byteCount))"]
        if foreignCount > 0 { counts.append("\(Quantity.count(foreignCount, "file")) only others can read") }
        if leftoverCount > 0 { counts.append("\(Quantity.count(leftoverCount, "leftover")) removed") }
        counts.append(findings.isEmpty ? "nothing wrong" : conclusion)
        return (lines + [counts.joined(separator: "; ")]).joined(separator: "\n")
    }

    private var conclusion: String {
        let rest = unmendedCount == 0 ? "all mended" : "\(unmendedCount) not mended"
        return "\(Quantity.count(findings.count, "finding")), \(rest)"
    }
}
