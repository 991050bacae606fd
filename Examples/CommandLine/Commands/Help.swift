/// The texts of `--help`.
enum Help {
    /// Returns the overview of the tool.
    static func overview(of commands: [any Command]) -> String {
        let rows = commands.map { ["\($0.name) \($0.operands)", $0.summary] }
        return """
            usage: calotype COMMAND [options]

            Loads, decodes, transforms and caches images.

            commands:
            \(Table.text(rows))

            SOURCE is a path, a URL (\(schemes)), or - for standard input.
            'calotype COMMAND --help' shows the help of a command. 'calotype --version' shows the version.

            exit codes:
              0   success
              1   a source or the cache could not be used, or the system limits are too low
              64  the command line is invalid; nothing was done

            The tool requires 32 free file descriptors, 8 threads and 256 MiB of address space.
            """
    }

    /// The schemes of URLs that this build can load, as a text for people.
    private static var schemes: String {
        #if HTTP
        return "http, https, data or file"
        #else
        return "data or file"
        #endif
    }

    /// Returns the help of a command.
    static func text(for command: any Command) -> String {
        let options = (command.options + [.help]).map { [$0.synopsis, $0.summary] }
        let synopsis = [command.name, command.operands, "[options]"].filter { !$0.isEmpty }.joined(separator: " ")
        let discussion = command.discussion.isEmpty ? "" : "\(command.discussion)\n\n"
        return """
            usage: calotype \(synopsis)

            \(command.summary)

            \(discussion)options:
            \(Table.text(options))
            """
    }
}
