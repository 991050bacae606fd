/// The result of a `calotype cache` action. The stored properties are the fields of its JSON output.
protocol CacheReport: Encodable {
    /// The report for people, in one or more lines.
    var text: String { get }
}
