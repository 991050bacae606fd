/// The result of a `calotype cache` action. Its properties are the JSON fields.
protocol CacheReport: Encodable {
    /// The report for people, in lines.
    var text: String { get }
}
