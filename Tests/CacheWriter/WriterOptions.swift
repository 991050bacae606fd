import CacheWriterKit

/// The options of the command line.
struct WriterOptions: Sendable {
    static let usage = """
        usage: calotype-cache-writer FOLDER SEED storing|removing [COUNT]

        Stores, reads, removes and trims entries of a disk cache in FOLDER, which other processes may use at the
        same time; COUNT operations, or for ever. The same SEED chooses the same operations. Standard output gets a byte
        when it begins and one after each operation.
        """

    let directory: String
    let seed: UInt64
    let mode: WriterMode
    /// The number of operations.
    let count: Int

    /// Parses the arguments. Throws a message for the user.
    init(_ arguments: [String]) throws(UsageError) {
        guard (3...4).contains(arguments.count) else {
            throw UsageError(message: "name a directory, a seed and a mode")
        }
        guard let seed = UInt64(arguments[1]) else {
            throw UsageError(message: "a seed is a number from 0 to \(UInt64.max), not '\(arguments[1])'")
        }
        guard let mode = WriterMode(rawValue: arguments[2]) else {
            throw UsageError(message: "there is no mode '\(arguments[2])'")
        }
        var count = Int.max
        if arguments.count == 4 {
            guard let number = Int(arguments[3]), number >= 0 else {
                throw UsageError(message: "a count is a number from 0 on, not '\(arguments[3])'")
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
