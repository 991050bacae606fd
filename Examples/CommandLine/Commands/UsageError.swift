/// The command line cannot be understood.
struct UsageError: Error {
    /// What is wrong with it, in half a sentence without a full stop.
    let message: String

    init(_ message: String) { self.message = message }
}
