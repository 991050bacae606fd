import CalotypeStandard

/// The command-line options of the demonstration.
struct Options: Sendable {
    static let usage = """
        usage: calotype-demo [--output DIR] SOURCE...

        Loads images in several variants, three times: over the network, from disk and from memory. Prints the time of
        each load, and draws all variants on a contact sheet, DIR/contact-sheet.png.

        SOURCE is a file or a URL. A small server on this machine serves the files. The default of DIR is Output.
        """

    /// The directory for the contact sheet and the cache. Default: `Output`.
    private(set) var directory = "Output"
    /// The pictures to load: paths and URLs.
    private(set) var sources: [String] = []
    /// Whether the help is requested.
    private(set) var wantsHelp = false

    /// Parses the arguments of the program. Throws `UsageError` if they are invalid.
    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h":
                wantsHelp = true
                return
            case "--output":
                guard let directory = rest.popFirst(), !directory.isEmpty, !directory.hasPrefix("--") else {
                    throw UsageError(message: "--output requires a directory")
                }
                self.directory = directory
            case "--":
                sources += rest
                rest = []
            case _ where argument.hasPrefix("-"):
                throw UsageError(message: "unknown option '\(argument)'")
            default:
                sources.append(argument)
            }
        }
        if sources.isEmpty { throw UsageError(message: "at least one SOURCE is required") }
        if sources.contains("") { throw UsageError(message: "SOURCE is empty; use a file or a URL") }
    }
}

/// An error for an invalid command line.
struct UsageError: Error {
    /// The description of the problem, in half a sentence without a full stop.
    let message: String
}
