import CalotypeStandard

/// The results for programs: a JSON array of rows.
struct Report {
    /// A row. Fields that do not apply to it are omitted.
    private struct Row: Encodable {
        let id: String
        let title: String
        let goal: Double
        let verdict: String
        /// The reason why it was not measured.
        var reason: String?
        /// The seconds for each operation.
        var subject: Double?
        var peer: Double?
        var ratio: Double?
        /// The 95 % confidence interval of the ratio.
        var low: Double?
        var high: Double?
        /// A note on the two sides.
        var note: String?
        /// The number that the row counts.
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

    /// Writes the report, replacing any file at the path.
    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(rows).write(to: URL(filePath: path))
    }
}
