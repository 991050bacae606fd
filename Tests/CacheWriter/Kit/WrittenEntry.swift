package import Calotype

/// What `calotype-cache-writer` stores. All of an entry follows from its number and its edition, so that whoever finds
/// one knows whether it is right.
package struct WrittenEntry: Sendable {
    /// The numbers there are. Were all stored, they would be three times what the directory may hold.
    package static let numbers = 0..<160
    /// Two of each number, of different length: were one written over the other, a bit of both would not pass for one.
    package static let editions = 0..<2
    /// What bounds the directory: so little that somebody trims all the time.
    package static let configuration = DiskCache.Configuration(byteLimit: 1 << 20, lowWaterMark: 0.9)
    /// By which entries are removed together.
    package static let allTags = ["album", "user"]

    /// A source has so many variants, the original among them.
    private static let variantCount = 8
    /// One for each variant. Nothing, little, more than is read at once, and much.
    private static let byteCounts = [0, 1, 300, 1_000, 3_000, 10_000, 40_000, 100_000]
    /// Dates of expiration, in seconds since 1970: one that is over, and one that no test lives to see.
    private static let past = 1.0
    private static let future = 4e9
    /// Made once: a key remembers the digests of its names, which cost as much as storing.
    private static let keys = numbers.map { number in
        let variant = number % variantCount
        return VariantKey(
            source: SourceKey("source \(number / variantCount)"), variant: variant == 0 ? "" : "variant \(variant)")
    }

    private let number: Int
    private let edition: Int

    /// An edition of a number.
    package init(number: Int, edition: Int) {
        self.number = number
        self.edition = edition
    }

    /// The key of all editions of a number.
    package static func key(_ number: Int) -> VariantKey { keys[number] }

    /// Whether a cache may answer `found` for a number: nothing, or an edition whose time is not over.
    package static func isRight(_ found: CacheEntry?, for number: Int) -> Bool {
        guard let found else { return true }
        return editions.contains { edition in
            let written = WrittenEntry(number: number, edition: edition)
            return !written.hasExpired && written.entry == found
        }
    }

    /// What is stored.
    package var entry: CacheEntry {
        CacheEntry(
            data: Data(repeating: UInt8(truncatingIfNeeded: 2 * number + edition), count: byteCount),
            expiration: expiration, attributes: ["number": "\(number)", "edition": "\(edition)"],
            extendedData: extendedData, tags: tags)
    }

    /// The tags of the entry: storing the other edition may take one away.
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

    /// Most have no date; of ten one has expired when it is stored.
    private var expiration: Double? {
        switch number % 10 {
        case 3: Self.future
        case 7: Self.past
        default: nil
        }
    }

    private var hasExpired: Bool { expiration == Self.past }
}
