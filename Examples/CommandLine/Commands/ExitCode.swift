/// The exit codes of the process.
enum ExitCode: Int32, Sendable {
    case success = 0
    /// At least one source or the cache could not be used, or the limits of the system are too low for the tool.
    case failure = 1
    /// The command line was invalid, and nothing was done. The number is `EX_USAGE` of BSD's sysexits.
    case usage = 64
}
