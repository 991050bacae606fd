import CalotypeStandard

/// The allowed cost of a row, from budgets.json.
struct Budget: Decodable {
    /// The id of the row.
    let id: String
    /// The highest ratio of the subject's time to its peer's; for rows that count, the highest number.
    let goal: Double
    /// The reason for the goal, for people.
    let note: String

    /// Returns all budgets, by the id of their row.
    static func all() throws -> [String: Budget] {
        let data = try Data(contentsOf: SourceDirectory.url.appending(path: "budgets.json"))
        let budgets = try JSONDecoder().decode([Budget].self, from: data)
        return try Dictionary(budgets.map { ($0.id, $0) }) { (first: Budget, _: Budget) throws -> Budget in
            throw BenchmarkError("\(first.id) has two budgets; remove one from Benchmarks/budgets.json")
        }
    }
}
