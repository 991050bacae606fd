/// A row of the table.
struct Benchmark {
    /// The name in budgets.json.
    let id: String
    /// For people: what is done, and after a slash what it is compared with.
    let title: String
    /// Makes everything that is not to be measured, and checks that both sides do the same. Called once.
    let prepare: () async throws -> Contest
    /// What the table has no column for, from the seconds of the subject for each operation and the ratio.
    var remark: ((_ subject: Double, _ ratio: Ratio) -> String)?

    /// Its budget: one of its own, or that of all rows whose ids begin and end as it says: `thumbnail/*/vips`.
    func budget(in budgets: [String: Budget]) -> Budget? {
        if let own = budgets[id] { return own }
        let parts = id.split(separator: "/")
        guard parts.count > 2, let first = parts.first, let last = parts.last else { return nil }
        return budgets["\(first)/*/\(last)"]
    }
}

/// What a row comes down to.
enum Contest {
    /// Two sides whose times are compared, and what is to be said of them besides.
    case comparison(subject: Contender, peer: Contender, note: String? = nil)
    /// A number for each operation that does not vary, and how it reads.
    case count(Double, text: String)
    /// Nothing can be measured here.
    case unavailable(Verdict, because: String)
}
