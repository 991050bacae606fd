import Foundation
import Testing

/// The seeds of the random tests: those of every run, or the one that is asked for.
enum RandomSeeds {
    private static let variable = "CALOTYPE_SEED"

    static var all: [UInt64] {
        ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }.map { [$0] } ?? Array(1...8)
    }

    /// What stands beside all that fails with a seed.
    static func comment(_ seed: UInt64, _ what: String = "") -> Comment {
        let repeating = "seed \(seed), alone: \(variable)=\(seed) make test TEST_ARGS='--filter Random'"
        return Comment(rawValue: what.isEmpty ? repeating : "\(what) (\(repeating))")
    }
}
