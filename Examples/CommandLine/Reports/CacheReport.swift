/// What `calotype cache` tells when something is done: to programs the fields, with their very names.
protocol CacheReport: Encodable {
    /// In lines, for people.
    var text: String { get }
}
