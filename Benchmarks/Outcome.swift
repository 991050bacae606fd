/// A row with its result.
struct Outcome {
    /// The result of a row.
    enum Finding {
        /// The median seconds for each operation, their ratio, and a note on the two sides.
        case compared(subject: Double, peer: Double, ratio: Ratio, note: String?)
        /// A number for each operation, and its text.
        case counted(Double, text: String)
        /// No result, and the reason.
        case nothing(Verdict, because: String)
    }

    let benchmark: Benchmark
    let budget: Budget
    let finding: Finding

    /// The verdict on the budget.
    var verdict: Verdict {
        switch finding {
        case .compared(_, _, let ratio, _): Verdict(ratio, goal: budget.goal)
        case .counted(let count, _): Verdict(count: count, goal: budget.goal)
        case .nothing(let verdict, _): verdict
        }
    }

    /// Measures a row. A failure becomes its outcome, so that the rows after it are still measured.
    static func measured(_ benchmark: Benchmark, budget: Budget) async -> Outcome {
        do {
            return Outcome(benchmark: benchmark, budget: budget, finding: try await finding(benchmark))
        } catch {
            return Outcome(
                benchmark: benchmark, budget: budget, finding: .nothing(.failed, because: "\(error)"))
        }
    }

    private static func finding(_ benchmark: Benchmark) async throws -> Finding {
        switch try await benchmark.prepare() {
        case .comparison(let subject, let peer, let note):
            let measurement = try await Measurement.taken(subject: subject, peer: peer)
            return .compared(
                subject: Statistics.median(measurement.subject), peer: Statistics.median(measurement.peer),
                ratio: Statistics.ratio(of: measurement), note: note)
        case .count(let count, let text):
            return .counted(count, text: text)
        case .unavailable(let verdict, let reason):
            return .nothing(verdict, because: reason)
        }
    }
}
