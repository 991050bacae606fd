import CacheWriterKit
import Calotype

/// A sequence of random operations on a cache.
struct Workload {
    private let cache: DiskCache
    /// The percentage of operations that walk over the directory.
    private let walkPercentage: Int
    private var random: LinearCongruence

    init(_ cache: DiskCache, mode: WriterMode, seed: UInt64) {
        self.cache = cache
        random = LinearCongruence(seed: seed)
        walkPercentage =
            switch mode {
            case .storing: 2
            case .removing: 25
            }
    }

    /// Performs the next operation. Throws the errors of the cache, and a `WorkloadFinding` for an incorrect result.
    mutating func step() throws {
        if Int.random(in: 0..<100, using: &random) < walkPercentage { return try walk() }
        let number = Int.random(in: WrittenEntry.numbers, using: &random)
        let key = WrittenEntry.key(number)
        switch Int.random(in: 0..<40, using: &random) {
        case 0: try cache.removeAll(of: key.source)
        case 1...2: try cache.remove(key)
        case 3: _ = try cache.contains(key)
        case 4...11: try read(number)
        default:
            let edition = Int.random(in: WrittenEntry.editions, using: &random)
            try cache.store(WrittenEntry(number: number, edition: edition).entry, for: key)
        }
    }

    private func read(_ number: Int) throws {
        let found = try cache.entry(for: WrittenEntry.key(number))
        guard WrittenEntry.isRight(found, for: number) else {
            throw WorkloadFinding(
                description: "the entry for number \(number) is none of its editions: \(found?.data.count ?? 0) bytes, "
                    + "\(found?.attributes ?? [:]), \(found?.tags.sorted() ?? [])")
        }
    }

    private mutating func walk() throws {
        switch Int.random(in: 0..<16, using: &random) {
        case 0: try cache.clear()
        case 1...3: try cache.trim(toByteCount: WrittenEntry.configuration.byteLimit / 4 * 3)
        case 4...5: try cache.removeExpired()
        case 6...7: try cache.removeAll(olderThan: .seconds(1))
        case 8...9: try verify()
        default: try cache.removeAll(tagged: WrittenEntry.allTags[Int.random(in: 0..<2, using: &random)])
        }
    }

    /// Verifies the cache. Damage is always a failure. An entry that its tag does not find may be one that another
    /// process is removing.
    private func verify() throws {
        let findings = try cache.verify().findings
        guard cache.statistics.repairs == 0 else { throw WorkloadFinding(description: "damage: \(findings)") }
    }
}

/// An incorrect result of a cache.
struct WorkloadFinding: Error, CustomStringConvertible {
    let description: String
}
