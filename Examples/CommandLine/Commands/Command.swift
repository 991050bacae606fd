/// A command of the tool, such as `load`. The first word of the command line names it.
protocol Command: Sendable {
    /// The word that names the command.
    var name: String { get }
    /// The operands after the name of the command, as shown in the help.
    var operands: String { get }
    /// The purpose of the command in a sentence, for the list of commands.
    var summary: String { get }
    /// Further details for the help: a paragraph or two in short lines; empty if there are none.
    var discussion: String { get }
    /// The options that the command accepts, besides `--help`.
    var options: [Option] { get }

    /// Runs the command. If the arguments are invalid, throws `UsageError` before anything is done. Failures of sources
    /// are printed, not thrown.
    @MainActor func run(_ arguments: Arguments, console: Console) async throws -> ExitCode
}
