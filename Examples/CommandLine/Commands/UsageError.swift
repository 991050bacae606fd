/// An error for a command line that cannot be parsed.
struct UsageError: Error {
    /// The description of the problem, in half a sentence without a full stop.
    let message: String

    init(_ message: String) { self.message = message }
}
