import CacheWriterKit

/// The options of the command line.
struct WriterOptions: Sendable {
    static let usage = """
        usage: calotype-cache-writer FOLDER SEED storing|removing [COUNT]

        Stores, reads, removes and trims entries of a disk cache in FOLDER, which other processes may use at the same
        time. Performs COUNT operations; without COUNT it runs until it is killed. SEED determines the operations.
        Writes a byte to standard output at its start and after each operation.
        """

    let directory: String
    let seed: UInt64
    let mode: WriterMode
    /// The number of operations.
    let count: Int

    /// Parses the arguments. Throws a message for the user.
    init(_ arguments: [String]) throws(UsageError) {
        guard (3...4).contains(arguments.count) else {
            throw UsageError(message: "specify a directory, a seed and a mode")
        }
        guard let seed = UInt64(arguments[1]) else {
            throw UsageError(message: "the seed must be a number from 0 to \(UInt64.max), not '\(arguments[1])'")
        }
        guard let mode = WriterMode(rawValue: arguments[2]) else {
            throw UsageError(message: "unknown mode '\(arguments[2])'")
        }
        var count = Int.max
        if arguments.count == 4 {
            guard let number = Int(arguments[3]), number >= 0 else {
                throw UsageError(message: "the count must be a number from 0 on, not '\(arguments[3])'")
            }
            count = number
        }
        directory = arguments[0]
        self.seed = seed
        self.mode = mode
        self.count = count
    }
}

/// An error for an invalid command line, with the problem in half a sentence.
struct UsageError: Error {
    let message: String
}
