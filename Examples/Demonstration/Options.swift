import CalotypeStandard

/// What the command line says.
struct Options: Sendable {
    static let usage = """
        usage: calotype-demo [--output FOLDER] SOURCE...

        Loads pictures in several variants, three times: over the network, from disk and from memory. Shows how long
        each took and draws all of them on one sheet, FOLDER/contact-sheet.png. A SOURCE is a file, which a small
        server on this machine then serves, or a URL. The default of FOLDER is Output.
        """

    /// Where the sheet and the cache go.
    private(set) var folder = "Output"
    /// Files and URLs.
    private(set) var sources: [String] = []
    /// Whether nothing else is wanted than to be told what there is.
    private(set) var wantsHelp = false

    /// Throws a sentence for whoever typed it.
    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h":
                wantsHelp = true
                return
            case "--output":
                guard let folder = rest.popFirst(), !folder.isEmpty, !folder.hasPrefix("--") else {
                    throw UsageError(message: "--output takes a folder")
                }
                self.folder = folder
            case "--":
                sources += rest
                rest = []
            case _ where argument.hasPrefix("-"):
                throw UsageError(message: "there is no option '\(argument)'")
            default:
                sources.append(argument)
            }
        }
        if sources.isEmpty { throw UsageError(message: "name the pictures to load") }
        if sources.contains("") { throw UsageError(message: "the name of a picture is empty") }
    }
}

/// What is wrong with a command line, in half a sentence.
struct UsageError: Error {
    let message: String
}
