/// The exit codes of the process.
enum ExitCode: Int32, Sendable {
    case success = 0
    /// At least one source failed while the others were processed, or the system's limits are too low for the tool.
    case failure = 1
    /// The command line was wrong and nothing was done. The number is `EX_USAGE` of BSD's sysexits.
    case usage = 64
}
