/// A row of the table.
struct Benchmark {
    /// The name in budgets.json.
    let id: String
    /// The title for people: the operation and, after a slash, its peer.
    let title: String
    /// Prepares everything that is not measured, and checks that both sides produce the same. Called once.
    let prepare: () async throws -> Contest
    /// A remark that the table has no column for, made from the subject's seconds for each operation and the ratio.
    var remark: ((_ subject: Double, _ ratio: Ratio) -> String)?

    /// Returns the budget of this row: its own, or that of all rows whose ids begin and end alike (`thumbnail/*/vips`).
    func budget(in budgets: [String: Budget]) -> Budget? {
        if let own = budgets[id] { return own }
        let parts = id.split(separator: "/")
        guard parts.count > 2, let first = parts.first, let last = parts.last else { return nil }
        return budgets["\(first)/*/\(last)"]
    }
}

/// The measurement of a row.
enum Contest {
    /// Two sides whose times are compared, and a note on them.
    case comparison(subject: Contender, peer: Contender, note: String? = nil)
    /// A constant number for each operation, and its text.
    case count(Double, text: String)
    /// A row that cannot be measured here.
    case unavailable(Verdict, because: String)
}
