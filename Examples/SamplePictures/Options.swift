import CalotypeStandard

/// What the command line says.
struct Options: Sendable {
    static let usage = """
        usage: sample-pictures [--size full|small] [--seed NUMBER] FOLDER

        Draws pictures like photographs and writes them into FOLDER: as JPEG in scans, JPEG to be turned, plain JPEG,
        PNG and WebP with transparency, PNG of 16 bits, and animated PNG, WebP and GIF; as PNG where a format is not
        built in. The same seed draws the same pictures; small ones have a quarter of the width and height.
        """

    private(set) var folder = ""
    /// What each side is divided by.
    private(set) var divisor = 1
    private(set) var seed: UInt32 = 7

    /// Throws a sentence for whoever typed it.
    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--size":
                let sizes = ["full": 1, "small": 4]
                guard let divisor = rest.popFirst().flatMap({ sizes[$0] }) else {
                    throw UsageError(message: "--size takes full or small")
                }
                self.divisor = divisor
            case "--seed":
                guard let seed = rest.popFirst().flatMap({ UInt32($0) }) else {
                    throw UsageError(message: "--seed takes a number from 0 to \(UInt32.max)")
                }
                self.seed = seed
            case _ where argument.hasPrefix("-"):
                throw UsageError(message: "there is no option '\(argument)'")
            default:
                guard folder.isEmpty else { throw UsageError(message: "one folder is enough") }
                folder = argument
            }
        }
        if folder.isEmpty { throw UsageError(message: "name the folder that the pictures go to") }
    }
}

/// What is wrong with a command line, in half a sentence.
struct UsageError: Error {
    let message: String
}
