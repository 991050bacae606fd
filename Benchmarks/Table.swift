/// The results for people.
enum Table {
    /// The widths of the columns: title, subject, peer, ratio, interval, goal.
    private static let widths = (title: 48, time: 9, ratio: 6, interval: 14, goal: 6)

    /// The header line.
    static let head = line(
        title: "", subject: "subject", peer: "peer", ratio: "ratio", interval: "95 %", goal: "goal",
        verdict: "verdict")

    /// Returns the line of a row.
    static func line(_ outcome: Outcome) -> String {
        let title = outcome.benchmark.title
        let goal = decimal(outcome.budget.goal, digits: 3)
        let verdict = outcome.verdict.rawValue
        switch outcome.finding {
        case .compared(let subject, let peer, let ratio, _):
            return line(
                title: title, subject: time(subject), peer: time(peer), ratio: decimal(ratio.value, digits: 3),
                interval: "[\(decimal(ratio.low, digits: 3)), \(decimal(ratio.high, digits: 3))]", goal: goal,
                verdict: verdict)
        case .counted(let count, _):
            return line(
                title: title, subject: decimal(count, digits: 3), peer: "-", ratio: "-", interval: "-", goal: goal,
                verdict: verdict)
        case .nothing:
            return line(
                title: title, subject: "-", peer: "-", ratio: "-", interval: "-", goal: goal, verdict: verdict)
        }
    }

    /// Returns the remarks below the table: the reasons for missing results, counts, remarks of rows, and the notes of
    /// budgets that are not clearly met.
    static func remarks(_ outcomes: [Outcome]) -> [String] {
        outcomes.compactMap { outcome in
            switch outcome.finding {
            case .compared(let subject, _, let ratio, let note):
                var sentences = note.map { [$0] } ?? []
                if let remark = outcome.benchmark.remark { sentences.append(remark(subject, ratio)) }
                if outcome.verdict != .better {
                    sentences.append("\(outcome.verdict.rawValue). \(outcome.budget.note)")
                }
                guard !sentences.isEmpty else { return nil }
                return "\(outcome.benchmark.id): " + sentences.joined(separator: " ")
            case .counted(_, let text):
                return "\(outcome.benchmark.id): \(text)"
            case .nothing(let verdict, let reason):
                return "\(outcome.benchmark.id): \(verdict.rawValue): \(reason)"
            }
        }
    }

    private static func line(
        title: String, subject: String, peer: String, ratio: String, interval: String, goal: String, verdict: String
    ) -> String {
        let columns = [
            title + spaces(widths.title - title.count), right(subject, widths.time), right(peer, widths.time),
            right(ratio, widths.ratio), right(interval, widths.interval), right(goal, widths.goal), verdict,
        ]
        return columns.joined(separator: "  ")
    }

    private static func right(_ text: String, _ width: Int) -> String { spaces(width - text.count) + text }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    /// Returns seconds in the unit that leaves few digits before the decimal point.
    private static func time(_ seconds: Double) -> String {
        if seconds < 1e-6 { return decimal(seconds * 1e9, digits: 1) + " ns" }
        if seconds < 1e-3 { return decimal(seconds * 1e6, digits: 2) + " us" }
        return decimal(seconds * 1e3, digits: 2) + " ms"
    }

    /// Returns a non-negative number with `digits` digits after the decimal point.
    static func decimal(_ value: Double, digits: Int) -> String {
        guard value < 1e12 else { return "\(value)" }
        var scale = 1
        for _ in 0..<digits { scale *= 10 }
        let scaled = Int((value * Double(scale)).rounded())
        let fraction = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }
}
