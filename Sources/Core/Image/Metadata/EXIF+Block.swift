extension EXIF {
    /// A block whose header is understood, to be read and changed.
    ///
    /// What stays is not moved: offsets into the block stay right, also those that only the maker of a camera knows.
    /// What lies outside the block is not there, and no chain of directories is followed, so that no bytes make this
    /// loop or trap.
    struct Block {
        /// The bytes from the byte order mark on.
        private(set) var data: Data
        private let isLittleEndian: Bool

        /// The longest block, and the longest part that is added to one: offsets have 32 bits.
        static let byteCountLimit = 1 << 30
        private static let headerByteCount = 8
        private static let long = 4
        private static let rational = 5

        /// An entry of a directory: what it is about, and how many values of one type it has.
        struct Entry {
            /// The offset in the block.
            let place: Int
            let tag: Int
            let type: Int
            let count: Int
        }

        /// A directory, as far as it is there.
        struct Directory {
            /// Those that are there as a whole, in their order.
            let entries: [Entry]
            /// The offset of the link to the next directory; nil if the block ends before it.
            let linkPlace: Int?
        }

        /// Nil if the bytes are no block, or too many.
        init?(_ bytes: Data) {
            guard bytes.count <= Self.byteCountLimit, let header = Header(bytes.bytes) else { return nil }
            data = Data(bytes.dropFirst(header.start))
            isLittleEndian = header.isLittleEndian
        }

        /// A block without a directory, in big-endian order.
        init() {
            data = Data([0x4D, 0x4D, 0, 42, 0, 0, 0, UInt8(Self.headerByteCount)])
            isLittleEndian = false
        }

        // MARK: Reading

        /// The first directory, which is about the picture.
        var first: Directory? { number(at: 4, byteCount: 4).flatMap { directory(at: $0) } }

        /// The directory after the first, which is about the thumbnail.
        var second: Directory? {
            first?.linkPlace.flatMap { number(at: $0, byteCount: 4) }.flatMap { directory(at: $0) }
        }

        /// The directory at an offset; nil if there cannot be one.
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

        /// The bytes of an entry's values, each of which takes so many; nil if they are not all there.
        func values(of entry: Entry, byteCount: Int) -> Range<Int>? {
            let byteCount = entry.count * byteCount
            // What fits stands in the entry itself.
            guard let place = byteCount <= 4 ? entry.place + 8 : number(at: entry.place + 8, byteCount: 4),
                place <= data.count - byteCount
            else { return nil }
            return place..<place + byteCount
        }

        /// The whole numbers of the first entry with a tag; empty where there are none.
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

        /// An entry that is to be written: twelve bytes, and the tag by which directories are sorted.
        typealias Field = (tag: Int, bytes: [UInt8])

        /// An entry of one whole number.
        func field(_ tag: Int, _ value: Int, type: Int = Self.long) -> Field {
            let head = digits(tag, 2) + digits(type, 2) + digits(1, 4)
            return (tag, head + (type == short ? digits(value, 2) + [0, 0] : digits(value, 4)))
        }

        /// An entry of `count` values in these bytes, which are appended where they do not fit into it.
        mutating func field(_ tag: Int, _ bytes: [UInt8], type: Int, count: Int) -> Field {
            let head = digits(tag, 2) + digits(type, 2) + digits(count, 4)
            guard bytes.count > 4 else { return (tag, head + bytes + Array(repeating: 0, count: 4 - bytes.count)) }
            return (tag, head + digits(append(bytes), 4))
        }

        /// An entry of one fraction.
        mutating func field(_ tag: Int, _ numerator: Int, over denominator: Int) -> Field {
            field(tag, digits(numerator, 4) + digits(denominator, 4), type: Self.rational, count: 1)
        }

        /// An entry as it stands.
        func field(_ entry: Entry) -> Field {
            (entry.tag, Array(data[entry.place..<entry.place + entryByteCount]))
        }

        /// Writes over an entry.
        mutating func replace(_ entry: Entry, by field: Field) {
            put(field.bytes, at: entry.place)
        }

        /// Bytes of a directory of so many entries.
        static func byteCount(ofDirectoryWith entryCount: Int) -> Int { 2 + entryCount * entryByteCount + 4 }

        /// Appends a directory, sorted, and says where it stands.
        mutating func append(_ fields: [Field], next: Int) -> Int {
            let sorted = fields.sorted { $0.tag < $1.tag }
            return append(digits(fields.count, 2) + sorted.flatMap(\.bytes) + digits(next, 4))
        }

        /// Appends bytes, one before them where their place would be odd, and says where they stand.
        @discardableResult
        mutating func append(_ bytes: [UInt8]) -> Int {
            if !data.count.isMultiple(of: 2) { data.append(0) }
            data.append(contentsOf: bytes)
            return data.count - bytes.count
        }

        /// Puts a first directory of these entries at the end, in place of the one that there is; 65,535 at most. What
        /// stood behind that one stands behind this one.
        mutating func replaceFirst(_ fields: [Field]) {
            let next = first?.linkPlace.flatMap { number(at: $0, byteCount: 4) } ?? 0
            put(digits(append(fields, next: next), 4), at: 4)
        }

        /// Sets the offset of the directory after the first; 0 for none.
        mutating func link(to place: Int) {
            guard let linkPlace = first?.linkPlace else { return }
            put(digits(place, 4), at: linkPlace)
        }

        /// Makes bytes zero, or cuts them off where they are the last.
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
