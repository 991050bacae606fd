package import Calotype

/// An entry that `calotype-cache-writer` stores. Its number and its edition determine all of it, so that a reader can
/// tell whether an entry is correct.
package struct WrittenEntry: Sendable {
    /// The numbers of entries. All of them together would exceed the directory's limit threefold.
    package static let numbers = 0..<160
    /// Two editions of each number, of different lengths: a mixture of both would be detected.
    package static let editions = 0..<2
    /// The cache configuration, with a limit so low that trims occur all the time.
    package static let configuration = DiskCache.Configuration(byteLimit: 1 << 20, lowWaterMark: 0.9)
    /// The tags by which entries are removed together.
    package static let allTags = ["album", "user"]

    /// The number of variants of a source, including the original.
    private static let variantCount = 8
    /// The length of each variant: none, short, longer than one read, and long.
    private static let byteCounts = [0, 1, 300, 1_000, 3_000, 10_000, 40_000, 100_000]
    /// Expiration dates in seconds since 1970: one in the past, and one in the far future.
    private static let past = 1.0
    private static let future = 4e9
    /// Created once, since a key caches the digests of its names, which cost as much as a store.
    private static let keys = numbers.map { number in
        let variant = number % variantCount
        return VariantKey(
            source: SourceKey("source \(number / variantCount)"), variant: variant == 0 ? "" : "variant \(variant)")
    }

    private let number: Int
    private let edition: Int

    /// Creates an edition of a number.
    package init(number: Int, edition: Int) {
        self.number = number
        self.edition = edition
    }

    /// Returns the key of all editions of a number.
    package static func key(_ number: Int) -> VariantKey { keys[number] }

    /// Returns whether a result is valid for a number: nothing, or an edition that has not expired.
    package static func isRight(_ found: CacheEntry?, for number: Int) -> Bool {
        guard let found else { return true }
        return editions.contains { edition in
            let written = WrittenEntry(number: number, edition: edition)
            return !written.hasExpired && written.entry == found
        }
    }

    /// The entry to store.
    package var entry: CacheEntry {
        CacheEntry(
            data: Data(repeating: UInt8(truncatingIfNeeded: 2 * number + edition), count: byteCount),
            expiration: expiration, attributes: ["number": "\(number)", "edition": "\(edition)"],
            extendedData: extendedData, tags: tags)
    }

    /// The tags of the entry. The other edition may have fewer.
    package var tags: Set<String> {
        var tags: Set<String> = []
        if (number + edition) % 3 == 0 { tags.insert(Self.allTags[0]) }
        if number % 5 == 0 { tags.insert(Self.allTags[1]) }
        return tags
    }

    private var byteCount: Int { Self.byteCounts[(number + 3 * edition) % Self.byteCounts.count] }

    private var extendedData: Data? {
        switch number % 4 {
        case 1: Data()
        case 2: Data("extended \(number)".utf8)
        default: nil
        }
    }

    /// The expiration date. Most entries have none; one in ten has expired when it is stored.
    private var expiration: Double? {
        switch number % 10 {
        case 3: Self.future
        case 7: Self.past
        default: nil
        }
    }

    private var hasExpired: Bool { expiration == Self.past }
}
