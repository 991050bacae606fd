import CalotypeStandard

/// The options of the command line.
struct FuzzOptions: Sendable {
    static let usage = """
        usage: calotype-fuzz [--seed NUMBER] [--rounds NUMBER] [--keep FOLDER] --corpus FOLDER...
               calotype-fuzz [--seed NUMBER] FILE...
               calotype-fuzz [--seed NUMBER] --profiles NUMBER [--unmeasured]

        Damages files of the corpus and decodes them, one input in each round, or decodes files unmodified. The seed
        (default: 1) determines the damage, and increases by one in each round. The current input is written to the
        directory of --keep (default: fuzz-inputs), in a file named after its seed. It remains there if it fails. A
        file is decoded with the options of --seed, of the seed in its name (what-it-was.SEED.png), and of some other
        seeds. --profiles converts colors with hostile ICC profiles, one for each seed. Each conversion must stay within
        limits on time and memory, which requires an optimized build; --unmeasured skips these limits.
        """

    /// The seed; nil if none is given.
    private(set) var seed: UInt64?
    private(set) var rounds = 1_000
    private(set) var keep = "fuzz-inputs"
    private(set) var corpora: [String] = []
    private(set) var files: [String] = []
    /// The number of hostile profiles to try; nil to fuzz files.
    private(set) var profiles: Int?
    private(set) var isMeasured = true

    /// Parses the arguments. Throws a message for the user.
    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--seed":
                guard let seed = rest.popFirst().flatMap({ UInt64($0) }) else {
                    throw UsageError(message: "--seed takes a number from 0 to \(UInt64.max)")
                }
                self.seed = seed
            case "--rounds":
                guard let rounds = rest.popFirst().flatMap({ Int($0) }), rounds > 0 else {
                    throw UsageError(message: "--rounds takes a positive number")
                }
                self.rounds = rounds
            case "--profiles":
                guard let profiles = rest.popFirst().flatMap({ Int($0) }), profiles > 0 else {
                    throw UsageError(message: "--profiles takes a positive number")
                }
                self.profiles = profiles
            case "--unmeasured":
                isMeasured = false
            case "--keep":
                guard let directory = rest.popFirst() else { throw UsageError(message: "--keep takes a directory") }
                keep = directory
            case "--corpus":
                guard let directory = rest.popFirst() else { throw UsageError(message: "--corpus takes a directory") }
                corpora.append(directory)
            case _ where argument.hasPrefix("-"):
                throw UsageError(message: "unknown option '\(argument)'")
            default:
                files.append(argument)
            }
        }
        guard [!files.isEmpty, !corpora.isEmpty, profiles != nil].count(where: \.self) == 1 else {
            throw UsageError(message: "specify a corpus, files, or a number of profiles")
        }
    }
}

/// An error for an invalid command line, with the problem in half a sentence.
struct UsageError: Error {
    let message: String
}
