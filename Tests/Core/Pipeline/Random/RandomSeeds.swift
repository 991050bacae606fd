import Foundation
import Testing

/// The seeds of the random tests: those of every run, or the requested one.
enum RandomSeeds {
    private static let variable = "CALOTYPE_SEED"

    static var all: [UInt64] {
        ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }.map { [$0] } ?? Array(1...8)
    }

    /// Returns the comment for failures with a seed.
    static func comment(_ seed: UInt64, _ what: String = "") -> Comment {
        let repeating = "seed \(seed), alone: \(variable)=\(seed) make test TEST_ARGS='--filter Random'"
        return Comment(rawValue: what.isEmpty ? repeating : "\(what) (\(repeating))")
    }
}
