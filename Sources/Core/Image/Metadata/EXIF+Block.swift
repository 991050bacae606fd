extension EXIF {
    /// An EXIF block with a valid header, which can be read and changed. Safe for untrusted bytes.
    ///
    /// Existing contents must not be moved, because data that only the camera's maker can read may contain offsets.
    /// Only the first two directories of the chain are read, because the chain may be endless.
    struct Block {
        /// The bytes from the byte order mark on.
        private(set) var data: Data
        private let isLittleEndian: Bool

        /// The maximum number of bytes of a block, and of a part that is added: 1 GiB, so that 32-bit offsets suffice.
        static let byteCountLimit = 1 << 30
        private static let headerByteCount = 8
        private static let long = 4
        private static let rational = 5

        /// An entry of a directory: its tag, and the type and number of its values.
        struct Entry {
            /// The offset of the entry in the block.
            let place: Int
            let tag: Int
            let type: Int
            let count: Int
        }

        /// The part of a directory that the block contains.
        struct Directory {
            /// The complete entries, in their order.
            let entries: [Entry]
            /// The offset of the link to the next directory; nil if the block does not contain the whole link.
            let linkPlace: Int?
        }

        /// Creates a block from bytes. Returns nil if the bytes are not a block, or exceed ``byteCountLimit``.
        init?(_ bytes: Data) {
            guard bytes.count <= Self.byteCountLimit, let header = Header(bytes.bytes) else { return nil }
            data = Data(bytes.dropFirst(header.start))
            isLittleEndian = header.isLittleEndian
        }

        /// Creates a block without a directory, in big-endian order.
        init() {
            data = Data([0x4D, 0x4D, 0, 42, 0, 0, 0, UInt8(Self.headerByteCount)])
            isLittleEndian = false
        }

        // MARK: Reading

        /// The first directory, which describes the picture.
        var first: Directory? { number(at: 4, byteCount: 4).flatMap { directory(at: $0) } }

        /// The directory after the first, which describes the thumbnail.
        var second: Directory? {
            first?.linkPlace.flatMap { number(at: $0, byteCount: 4) }.flatMap { directory(at: $0) }
        }

        /// Returns the directory at an offset. Returns nil if the offset is invalid.
        func directory(at place: Int) -> Directory? {
            guard place >= Self.headerByteCount, let claimed = number(at: place, byteCount: 2) else { return nil }
            let end = place + 2 + claimed * entryByteCount
            var entries: [Entry] = []
            for place in stride(from: place + 2, to: end, by: entryByteCount) {
                guard place <= data.count - entryByteCount, let tag = number(at: place, byteCount: 2),
                    let type = number(at: place + 2, byteCount: 2), let count = number(at: place + 4, byteCount: 4)
                else { break }
                entries.append(Entry(place: place, tag: tag, type: type, count: count))
            }
            return Directory(entries: entries, linkPlace: end <= data.count - 4 ? end : nil)
        }

        /// Returns the range of bytes of an entry's values; nil if some of the bytes are missing.
        /// - Parameter byteCount: The number of bytes of each value.
        func values(of entry: Entry, byteCount: Int) -> Range<Int>? {
            let byteCount = entry.count * byteCount
            // Values that fit are stored in the entry itself.
            guard let place = byteCount <= 4 ? entry.place + 8 : number(at: entry.place + 8, byteCount: 4),
                place <= data.count - byteCount
            else { return nil }
            return place..<place + byteCount
        }

        /// Returns the whole numbers of the first entry with a tag. Returns an empty array if there is no such entry,
        /// if its type is not SHORT or LONG, or if some of its bytes are missing.
        func numbers(_ tag: Int, in directory: Directory) -> [Int] {
            guard let entry = directory.entries.first(where: { $0.tag == tag }),
                entry.type == short || entry.type == Self.long
            else { return [] }
            let byteCount = entry.type == short ? 2 : 4
            guard let values = values(of: entry, byteCount: byteCount) else { return [] }
            return stride(from: values.lowerBound, to: values.upperBound, by: byteCount)
                .compactMap { number(at: $0, byteCount: byteCount) }
        }

        private func number(at place: Int, byteCount: Int) -> Int? {
            EXIF.number(in: data.bytes, at: place, byteCount: byteCount, isLittleEndian: isLittleEndian)
        }

        // MARK: Changing

        /// An entry to be written: its tag, by which entries are sorted, and its twelve bytes, which include the tag.
        typealias Field = (tag: Int, bytes: [UInt8])

        /// Returns an entry with one whole number.
        func field(_ tag: Int, _ value: Int, type: Int = Self.long) -> Field {
            let head = digits(tag, 2) + digits(type, 2) + digits(1, 4)
            return (tag, head + (type == short ? digits(value, 2) + [0, 0] : digits(value, 4)))
        }

        /// Returns an entry with `count` values. If they take more than four bytes, they are appended to the block.
        mutating func field(_ tag: Int, _ bytes: [UInt8], type: Int, count: Int) -> Field {
            let head = digits(tag, 2) + digits(type, 2) + digits(count, 4)
            guard bytes.count > 4 else { return (tag, head + bytes + Array(repeating: 0, count: 4 - bytes.count)) }
            return (tag, head + digits(append(bytes), 4))
        }

        /// Returns an entry with one fraction. The fraction is appended to the block.
        mutating func field(_ tag: Int, _ numerator: Int, over denominator: Int) -> Field {
            field(tag, digits(numerator, 4) + digits(denominator, 4), type: Self.rational, count: 1)
        }

        /// Returns an existing entry as a field, with its bytes unchanged.
        func field(_ entry: Entry) -> Field {
            (entry.tag, Array(data[entry.place..<entry.place + entryByteCount]))
        }

        /// Overwrites an entry.
        mutating func replace(_ entry: Entry, by field: Field) {
            put(field.bytes, at: entry.place)
        }

        /// Returns the number of bytes of a directory with `entryCount` entries.
        static func byteCount(ofDirectoryWith entryCount: Int) -> Int { 2 + entryCount * entryByteCount + 4 }

        /// Appends a directory, sorted by tag. Returns its offset.
        /// - Parameter next: The offset of the next directory; 0 for none.
        mutating func append(_ fields: [Field], next: Int) -> Int {
            let sorted = fields.sorted { $0.tag < $1.tag }
            return append(digits(fields.count, 2) + sorted.flatMap(\.bytes) + digits(next, 4))
        }

        /// Appends bytes at an even offset, after a padding byte if necessary. Returns the offset.
        @discardableResult
        mutating func append(_ bytes: [UInt8]) -> Int {
            if !data.count.isMultiple(of: 2) { data.append(0) }
            data.append(contentsOf: bytes)
            return data.count - bytes.count
        }

        /// Appends a directory of at most 65,535 entries, and makes it the first. The link to the second one is kept.
        mutating func replaceFirst(_ fields: [Field]) {
            let next = first?.linkPlace.flatMap { number(at: $0, byteCount: 4) } ?? 0
            put(digits(append(fields, next: next), 4), at: 4)
        }

        /// Sets the offset of the second directory; 0 for none. Does nothing if the block has no room for the link.
        mutating func link(to place: Int) {
            guard let linkPlace = first?.linkPlace else { return }
            put(digits(place, 4), at: linkPlace)
        }

        /// Sets bytes to zero, or removes them if they are at the end of the block. The header is never erased.
        mutating func erase(from place: Int, count: Int) {
            let end = min(place + count, data.count)
            let place = max(place, Self.headerByteCount)
            guard place < end else { return }
            if end == data.count {
                data.removeLast(end - place)
            } else {
                data.resetBytes(in: place..<end)
            }
        }

        private mutating func put(_ bytes: [UInt8], at place: Int) {
            data.replaceSubrange(place..<place + bytes.count, with: bytes)
        }

        private func digits(_ value: Int, _ byteCount: Int) -> [UInt8] {
            let little = (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
            return isLittleEndian ? little : little.reversed()
        }
    }
}
