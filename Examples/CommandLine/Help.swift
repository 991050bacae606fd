/// The texts of `--help`.
enum Help {
    /// What the tool can do.
    static func overview(of commands: [any Command]) -> String {
        let rows = commands.map { ["\($0.name) \($0.operands)", $0.summary] }
        return """
            usage: calotype COMMAND [options]

            Loads, decodes, transforms and caches images.

            commands:
            \(Table.text(rows))

            A SOURCE is a path, a URL (\(schemes)), or - for standard input.
            'calotype COMMAND --help' tells more of a command. 'calotype --version' shows the version.

            The exit code is 0, 1 when a source failed, or 64 when the command line is wrong.
            It is 1 too where fewer than 32 files can be opened, where no 8 threads can be
            made, and in an address space of less than 256 MiB.
            """
    }

    /// The schemes of the URLs that can be loaded, for people.
    private static var schemes: String {
        #if HTTP
        return "http, https, data or file"
        #else
        return "data or file"
        #endif
    }

    /// What a command can do.
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
