/// A command of the tool, which is the first word of the command line.
protocol Command: Sendable {
    /// The command's word.
    var name: String { get }
    /// The operands that follow it, as shown in the help.
    var operands: String { get }
    /// A sentence for the list of commands.
    var summary: String { get }
    /// Further details for the help: a paragraph or two, in lines of at most 80 characters; empty for none.
    var discussion: String { get }
    /// The options that it accepts, besides `--help`.
    var options: [Option] { get }

    /// Runs the command. Throws `UsageError` before it does anything; it reports failures of sources itself.
    @MainActor func run(_ arguments: Arguments, console: Console) async throws -> ExitCode
}
