#if COLOR
import Calotype

/// The part of an ICC profile that conversions read, checked: the header, and the tags of curves, colorants and tables.
///
/// Nothing else of a profile reaches Little CMS, which takes counts and offsets at their word: a kilobyte whose
/// elements share one offset would take it minutes and gigabytes. Multi-process elements (`D2B0` and its like) are left
/// out, so the tables take their place, which every such profile has. So are damaged tables from the connection space
/// to the device, which only the search for the darkest color reads. Source: ICC.1:2022, sections 7, 8.11 and 9.2.
struct ProfileExtract {
    /// The profile that remains: as much of the original as is read, in its order.
    let data: Data
    /// The bytes of its curves and tables in memory.
    let tableByteCount: Int

    /// The most tags of a profile: as many as Little CMS knows in one.
    private static let maxTagCount = 100

    /// A tag that is read: where it starts in the profile, and its bytes.
    private struct Tag {
        let signature: ProfileSignature
        let start: Int
        var body: Data
    }

    /// Checks a profile.
    ///
    /// Throws `badData` when the profile is damaged, when tags of it overlap without being the same, and when its
    /// curves and tables would take more than `maxTableBytes` in memory.
    init(
        _ profile: Data, _ header: ProfileHeader, channelCount: Int, maxTableBytes: Int
    ) throws(ImageError) {
        let bytes = ProfileBytes(profile.prefix(header.profileByteCount), subject: "the list of tags")
        var tags: [Tag] = []
        var tableByteCount = 0
        for var tag in try Self.tags(in: bytes) {
            let content = ProfileBytes(tag.body, subject: "the tag \(tag.signature)")
            let table: ProfileTable
            do throws(ImageError) {
                table = try ProfileTable(tag.signature, content, at: tag.start, channelCount: channelCount)
            } catch {
                // Another table may take its place, as where there is none.
                if ProfileTable.isOptional(tag.signature) { continue }
                throw error
            }
            tag.body = tag.body.prefix(table.byteCount)
            // Two names may be given to one tag, which Little CMS reads once.
            if !tags.contains(where: { $0.start == tag.start }) { tableByteCount += table.tableByteCount }
            guard tableByteCount <= maxTableBytes else {
                throw .unusableProfile(
                    "has more than \(maxTableBytes) bytes of curves and tables",
                    advice: "raise the context value `maxProfileTableBytes` if the source is trusted")
            }
            tags.append(tag)
        }
        try Self.checkOverlaps(of: tags)
        data = Self.extract(tags, header: try bytes.bytes(at: 0, count: ProfileHeader.byteCount))
        self.tableByteCount = tableByteCount
    }

    /// The tags that are read. Those beyond the profile's end are left out, as in a file that was cut off.
    private static func tags(in bytes: ProfileBytes) throws(ImageError) -> [Tag] {
        let count = try bytes.number(at: ProfileHeader.byteCount, byteCount: 4)
        guard count <= maxTagCount else {
            throw .unusableProfile("is damaged; it has \(count) tags, and at most \(maxTagCount) are known")
        }
        var tags: [Tag] = []
        for index in 0..<count {
            let place = ProfileHeader.byteCount + 4 + 12 * index
            let signature = try bytes.signature(at: place)
            let start = try bytes.number(at: place + 4, byteCount: 4)
            let byteCount = try bytes.number(at: place + 8, byteCount: 4)
            guard ProfileTable.isRead(signature), byteCount > 0, start <= bytes.count, byteCount <= bytes.count - start
            else { continue }
            guard !tags.contains(where: { $0.signature == signature }) else {
                throw .unusableProfile("is damaged; it has two tags \(signature)")
            }
            tags.append(Tag(signature: signature, start: start, body: try bytes.bytes(at: start, count: byteCount)))
        }
        return tags
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

    /// Puts the tags into a profile of their own. Each keeps its offset's remainder of four, by which parts within a
    /// tag are aligned.
    private static func extract(_ tags: [Tag], header: Data) -> Data {
        let bodiesStart = ProfileHeader.byteCount + 4 + 12 * tags.count
        var list = bigEndian(tags.count)
        var bodies = Data()
        var places: [Int: Int] = [:]
        for tag in tags {
            let place: Int
            if let shared = places[tag.start] {
                place = shared
            } else {
                bodies.append(Data(count: (-bodies.count & 3) + (tag.start & 3)))
                place = bodiesStart + bodies.count
                places[tag.start] = place
                bodies.append(tag.body)
            }
            list += bigEndian(Int(tag.signature.rawValue)) + bigEndian(place) + bigEndian(tag.body.count)
        }
        // Little CMS reads on to a multiple of four bytes behind each curve, also where the tag ends before.
        bodies.append(Data(count: -bodies.count & 3))
        let byteCount = bodiesStart + bodies.count
        return Data(bigEndian(byteCount)) + header.dropFirst(4) + Data(list) + bodies
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
#endif
