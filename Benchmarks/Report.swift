import CalotypeStandard

/// The results for programs: an array of rows.
struct Report {
    /// A row. What does not apply to it is left out.
    private struct Row: Encodable {
        let id: String
        let title: String
        let goal: Double
        let verdict: String
        /// Why it was not measured.
        var reason: String?
        /// Seconds for each operation.
        var subject: Double?
        var peer: Double?
        var ratio: Double?
        /// The 95 % interval of the ratio.
        var low: Double?
        var high: Double?
        /// What is to be said of the two besides.
        var note: String?
        /// Of rows that count.
        var count: Double?
    }

    private let rows: [Row]

    init(_ outcomes: [Outcome]) {
        rows = outcomes.map { outcome in
            var row = Row(
                id: outcome.benchmark.id, title: outcome.benchmark.title, goal: outcome.budget.goal,
                verdict: outcome.verdict.rawValue)
            switch outcome.finding {
            case .compared(let subject, let peer, let ratio, let note):
                row.subject = subject
                row.peer = peer
                row.ratio = ratio.value
                row.low = ratio.low
                row.high = ratio.high
                row.note = note
            case .counted(let count, _):
                row.count = count
            case .nothing(_, let reason):
                row.reason = reason
            }
            return row
        }
    }

    /// Writes the report, in place of what was there.
    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(rows).write(to: URL(filePath: path))
    }
}
