/// What stands first on the command line, with what it takes.
protocol Command: Sendable {
    /// The word.
    var name: String { get }
    /// What follows it apart from options, as the help shows it.
    var operands: String { get }
    /// One sentence for the list of commands.
    var summary: String { get }
    /// What else is to be known: a paragraph or two, in lines of at most 80 characters; empty for none.
    var discussion: String { get }
    /// The options that it takes, `--help` apart.
    var options: [Option] { get }

    /// Does it. Throws `UsageError` before anything is done; what goes wrong with a source it reports itself.
    @MainActor func run(_ arguments: Arguments, console: Console) async throws -> ExitCode
}
