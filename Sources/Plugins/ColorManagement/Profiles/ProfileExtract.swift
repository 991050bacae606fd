#if COLOR
import Calotype

/// The checked part of an ICC profile that a conversion reads: the header, and the tags of curves, colorants and
/// tables.
///
/// No other part of a profile reaches Little CMS, because it trusts counts and offsets: a profile of one kilobyte whose
/// elements share one offset could take minutes and gigabytes. Multi-process elements (`D2B0` and similar tags) are
/// omitted; Little CMS then uses the tables, which every such profile also has. Source: ICC.1:2022, sections 7, 8.11
/// and 9.2.
struct ProfileExtract {
    /// The resulting profile, which contains only the parts that are read.
    let data: Data
    /// The rendering intent of the conversion.
    let intent: ProfileIntent
    /// The number of bytes that the curves and tables take in memory.
    let tableByteCount: Int

    /// The maximum number of tags of a profile. It equals the limit of Little CMS.
    private static let maxTagCount = 100

    /// A tag: its signature, its offset in the profile, and its bytes.
    private struct Tag {
        let signature: ProfileSignature
        let start: Int
        var body: Data
        /// The number of bytes that the curves and tables of the tag take in memory.
        var tableByteCount = 0
    }

    /// The bytes of a tag, and the remainder modulo four of their offset.
    private struct AlignedBytes: Hashable {
        let remainder: Int
        let bytes: Data
    }

    /// Extracts the tags that are needed to use a profile as the source or the target of a conversion.
    ///
    /// Throws `badData` if a required tag is damaged, if two tags overlap without having the same range, or if the
    /// curves and tables would take more than `maxTableBytes` in memory. Omits damaged optional tags.
    init(
        _ profile: Data, _ header: ProfileHeader, _ use: ProfileReading.Use, channelCount: Int, maxTableBytes: Int
    ) throws(ImageError) {
        let bytes = ProfileBytes(profile.prefix(header.profileByteCount), subject: "the list of tags")
        let listed = try Self.tags(in: bytes)
        let reading = ProfileReading(use, of: Set(listed.map(\.signature)), header)
        var tags: [Tag] = []
        for signature in reading.required {
            guard let tag = try Self.measured(signature, in: listed, channelCount: channelCount) else { continue }
            tags.append(tag)
        }
        for signatures in reading.alternatives {
            // A damaged tag counts as missing.
            for signature in signatures {
                guard let tag = try? Self.measured(signature, in: listed, channelCount: channelCount) else { continue }
                tags.append(tag)
                break
            }
        }
        for signature in reading.markers {
            guard var tag = try? Self.measured(signature, in: listed, channelCount: channelCount) else { continue }
            tag.tableByteCount = 0
            tags.append(tag)
        }
        try Self.checkOverlaps(of: tags)
        let tableByteCount = Self.tableByteCount(of: tags)
        guard tableByteCount <= maxTableBytes else {
            throw .unusableProfile(
                "has more than \(maxTableBytes) bytes of curves and tables",
                advice: "raise the context value `maxProfileTableBytes` if the source is trusted")
        }
        data = Self.extract(tags, header: try bytes.bytes(at: 0, count: ProfileHeader.byteCount))
        intent = reading.intent
        self.tableByteCount = tableByteCount
    }

    /// Returns the tags that a conversion may need. Omits tags that a truncated file does not contain completely.
    private static func tags(in bytes: ProfileBytes) throws(ImageError) -> [Tag] {
        let count = try bytes.number(at: ProfileHeader.byteCount, byteCount: 4)
        guard count <= maxTagCount else {
            throw .unusableProfile("is damaged; it has \(count) tags, but at most \(maxTagCount) are defined")
        }
        var tags: [Tag] = []
        for index in 0..<count {
            let place = ProfileHeader.byteCount + 4 + 12 * index
            let signature = try bytes.signature(at: place)
            let start = try bytes.number(at: place + 4, byteCount: 4)
            let byteCount = try bytes.number(at: place + 8, byteCount: 4)
            guard ProfileTable.isRead(signature), byteCount > 0, start <= bytes.count, byteCount <= bytes.count - start
            else { continue }
            tags.append(Tag(signature: signature, start: start, body: try bytes.bytes(at: start, count: byteCount)))
        }
        return tags
    }

    /// Returns the used part of a tag; nil if there is no such tag. Throws `badData` if it is damaged or occurs twice.
    private static func measured(
        _ signature: ProfileSignature, in tags: [Tag], channelCount: Int
    ) throws(ImageError) -> Tag? {
        let tags = tags.filter { $0.signature == signature }
        guard var tag = tags.first else { return nil }
        guard tags.count == 1 else { throw .unusableProfile("is damaged; it has two tags \(signature)") }
        let content = ProfileBytes(tag.body, subject: "the tag \(signature)")
        let table = try ProfileTable(signature, content, at: tag.start, channelCount: channelCount)
        tag.body = tag.body.prefix(table.byteCount)
        tag.tableByteCount = table.tableByteCount
        return tag
    }

    /// Returns the number of bytes that all curves and tables take in memory. A tag that several signatures share
    /// counts once, because Little CMS reads it once.
    private static func tableByteCount(of tags: [Tag]) -> Int {
        var byteCounts: [Int: Int] = [:]
        for tag in tags { byteCounts[tag.start] = max(byteCounts[tag.start] ?? 0, tag.tableByteCount) }
        return byteCounts.values.reduce(0, +)
    }

    private static func checkOverlaps(of tags: [Tag]) throws(ImageError) {
        var end = 0
        var last: Tag?
        for tag in tags.sorted(by: { $0.start < $1.start }) {
            if let last, tag.start < end, tag.start != last.start || tag.body.count != last.body.count {
                throw .unusableProfile("is damaged; its tags \(last.signature) and \(tag.signature) overlap")
            }
            end = max(end, tag.start + tag.body.count)
            last = tag
        }
    }

    /// Returns a profile that contains only these tags. The offset of each tag keeps its remainder modulo four, because
    /// that remainder determines the alignment of the tag's parts. Tags with the same bytes share a place, so that
    /// Little CMS reads them once.
    private static func extract(_ tags: [Tag], header: Data) -> Data {
        let bodiesStart = ProfileHeader.byteCount + 4 + 12 * tags.count
        var list = bigEndian(tags.count)
        var bodies = Data()
        var places: [AlignedBytes: Int] = [:]
        for tag in tags {
            let content = AlignedBytes(remainder: tag.start & 3, bytes: tag.body)
            let place: Int
            if let shared = places[content] {
                place = shared
            } else {
                bodies.append(Data(count: (-bodies.count & 3) + content.remainder))
                place = bodiesStart + bodies.count
                places[content] = place
                bodies.append(tag.body)
            }
            list += bigEndian(Int(tag.signature.rawValue)) + bigEndian(place) + bigEndian(tag.body.count)
        }
        // Little CMS reads up to a multiple of four bytes after each curve, even if the tag ends before.
        bodies.append(Data(count: -bodies.count & 3))
        let byteCount = bodiesStart + bodies.count
        return Data(bigEndian(byteCount)) + header.dropFirst(4) + Data(list) + bodies
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
#endif
