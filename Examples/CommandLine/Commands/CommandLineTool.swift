import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// `calotype`: a command-line tool with the features of the library.
@main
struct CommandLineTool {
    /// The version that `--version` prints.
    private static let version = "0.1.0"

    private static let commands: [any Command] = [
        LoadCommand(), ConvertCommand(), InfoCommand(), ExplainCommand(), PluginsCommand(), CacheCommand(),
    ]

    @MainActor
    static func main() async {
        // A closed descriptor's number would be reused for the next opened file, which would then receive the output.
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDWR)
        }
        let console = Console()
        do {
            try SystemLimits.prepare()
        } catch {
            console.complain(Console.describe(error))
            exit(ExitCode.failure.rawValue)
        }
        let signals = Termination.watch()
        let code = await run(Array(CommandLine.arguments.dropFirst()), console: console)
        await console.finish()
        withExtendedLifetime(signals) {}
        exit(code.rawValue)
    }

    /// Runs the command that the first word names.
    @MainActor
    private static func run(_ words: [String], console: Console) async -> ExitCode {
        do {
            guard let word = words.first else { throw UsageError("no COMMAND is given") }
            switch word {
            case "--help", "-h": console.say(Help.overview(of: commands))
            case "--version": console.say("calotype \(version)")
            default: return try await command(word).run(words.dropFirst(), console: console)
            }
            return .success
        } catch let error as UsageError {
            console.complain("\(error.message); see 'calotype --help'")
            return .usage
        } catch {
            console.complain(Console.describe(error))
            return .failure
        }
    }

    private static func command(_ name: String) throws -> any Command {
        if let command = commands.first(where: { $0.name == name }) { return command }
        throw UsageError(name.hasPrefix("-") ? "unknown option '\(name)'" : "unknown command '\(name)'")
    }
}

extension Command {
    /// Runs the command with the words that follow its name, or prints its help.
    @MainActor
    fileprivate func run(_ words: ArraySlice<String>, console: Console) async throws -> ExitCode {
        let arguments = try Arguments(words, for: self)
        guard !arguments.has(.help) else {
            console.say(Help.text(for: self))
            return .success
        }
        return try await run(arguments, console: console)
    }
}
