import CalotypeStandard

/// The command-line options of the program.
struct Options: Sendable {
    static let usage = """
        usage: sample-pictures [--size full|small] [--seed NUMBER] DIR

        Draws sample images and writes them to DIR: progressive JPEG, JPEG with an EXIF orientation, baseline JPEG,
        PNG and WebP with transparency, PNG with 16 bits per channel, and animated PNG, WebP and GIF. Writes PNG
        instead of formats that are not built in. The same seed draws the same images. --size small divides the width
        and the height by 4.
        """

    /// The directory to write the pictures to.
    private(set) var directory = ""
    /// The number by which the width and the height of each picture are divided. Default: 1.
    private(set) var divisor = 1
    /// The seed of the random numbers. Default: 7.
    private(set) var seed: UInt32 = 7

    /// Parses the arguments of the program. Throws `UsageError` if they are invalid.
    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--size":
                let sizes = ["full": 1, "small": 4]
                guard let divisor = rest.popFirst().flatMap({ sizes[$0] }) else {
                    throw UsageError(message: "--size requires full or small")
                }
                self.divisor = divisor
            case "--seed":
                guard let seed = rest.popFirst().flatMap({ UInt32($0) }) else {
                    throw UsageError(message: "--seed requires a number from 0 to \(UInt32.max)")
                }
                self.seed = seed
            case _ where argument.hasPrefix("-"):
                throw UsageError(message: "unknown option '\(argument)'")
            default:
                guard directory.isEmpty else {
                    throw UsageError(message: "only one DIR is allowed, not also '\(argument)'")
                }
                directory = argument
            }
        }
        if directory.isEmpty { throw UsageError(message: "DIR is required") }
    }
}

/// An error for an invalid command line.
struct UsageError: Error {
    /// The description of the problem, in half a sentence without a full stop.
    let message: String
}
