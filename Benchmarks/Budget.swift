import CalotypeStandard

/// What a row may cost, from budgets.json.
struct Budget: Decodable {
    /// The row.
    let id: String
    /// The highest ratio of the subject's time to its peer's; for rows that count, the highest number.
    let goal: Double
    /// Why it is that, for people.
    let note: String

    /// All budgets, by the id of their row.
    static func all() throws -> [String: Budget] {
        let data = try Data(contentsOf: SourceDirectory.url.appending(path: "budgets.json"))
        let budgets = try JSONDecoder().decode([Budget].self, from: data)
        return try Dictionary(budgets.map { ($0.id, $0) }) { (first: Budget, _: Budget) throws -> Budget in
            throw BenchmarkError("\(first.id) has two budgets; remove one from Benchmarks/budgets.json")
        }
    }
}
