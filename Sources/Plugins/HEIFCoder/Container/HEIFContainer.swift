#if HEIF
import Calotype

/// The contents of a file's `meta` box: the items with their locations, properties and references.
///
/// Use a container only while the memory of the file exists. Properties are parsed only on use, so that damage to
/// unused items does not matter.
///
/// Source: ISO/IEC 14496-12:2022, section 8.11; ISO/IEC 23008-12:2022, sections 6 and 9.
struct HEIFContainer {
    let file: UnsafeRawBufferPointer
    /// The number of the primary item, which is the picture to show; nil if the file does not name one.
    private(set) var primary: Int?
    private(set) var items: [Int: HEIFItem] = [:]
    private var references: [HEIFReference] = []
    private var properties: [HEIFBox] = []

    /// Parses a file. Throws `badData` if it is damaged, truncated or of an unsupported kind.
    init(_ file: UnsafeRawBufferPointer) throws(ImageError) {
        self.file = file
        let meta = try Self.meta(of: file)
        let boxes = try HEIFBox.all(in: meta.body.dropFirst(4), of: file, name: "meta")
        func first(_ type: FourCC) -> HEIFBox? { boxes.first { $0.type == type } }
        if let box = first("hdlr") { try readHandler(box) }
        if let box = first("pitm") { try readPrimary(box) }
        if let box = first("iinf") { try readItems(box) }
        if let box = first("iloc") { try readLocations(box, data: first("idat")?.body) }
        if let box = first("iref") { try readReferences(box) }
        if let box = first("iprp") { try readProperties(box) }
    }

    private static func meta(of file: UnsafeRawBufferPointer) throws(ImageError) -> HEIFBox {
        var start = 0
        while let box = HEIFBox(at: start, before: file.count, of: file) {
            guard box.type != "meta" else {
                guard box.isWhole else { throw .cutOffHEIF(in: "the box 'meta'") }
                guard box.body.count >= 4 else { throw .damagedHEIF("the box 'meta' is empty") }
                return box
            }
            start = box.range.upperBound
        }
        throw .damagedHEIF("it has no box 'meta'")
    }

    // MARK: Lookups

    /// Returns the properties of an item, in order of application. Throws `badData` if a property does not exist.
    func properties(of item: HEIFItem) throws(ImageError) -> [(box: HEIFBox, isEssential: Bool)] {
        var found: [(box: HEIFBox, isEssential: Bool)] = []
        for association in item.properties where association.place > 0 {
            guard association.place <= properties.count else {
                throw .damagedHEIF("an item uses the property \(association.place) of only \(properties.count)")
            }
            found.append((properties[association.place - 1], association.isEssential))
        }
        return found
    }

    /// Returns the numbers of the items to which the item `number` refers in its first reference of a type. The result
    /// is empty if there is no such reference.
    func targets(of number: Int, _ type: FourCC) -> [Int] {
        references.first { $0.type == type && $0.source == number }?.targets ?? []
    }

    /// Returns the numbers of the items that have a reference of a type to the item `number`. Each number occurs once.
    func sources(of number: Int, _ type: FourCC) -> [Int] {
        var found: Set<Int> = []
        return references.lazy.filter { $0.type == type && $0.targets.contains(number) }.map(\.source).filter {
            found.insert($0).inserted
        }
    }

    /// Returns the ranges of an item's bytes in the file. Throws `badData` if bytes are missing, or if the ranges are
    /// invalid or not supported.
    func ranges(of item: HEIFItem) throws(ImageError) -> [Range<Int>] {
        switch item.location {
        case .file(let ranges):
            var byteCount = 0
            for range in ranges {
                guard range.upperBound <= file.count else {
                    throw .cutOffHEIF(in: "an item of the type '\(item.type)'")
                }
                byteCount += range.count
            }
            guard byteCount > 0 else { throw .damagedHEIF("an item of the type '\(item.type)' is empty") }
            guard byteCount <= file.count else {
                throw .damagedHEIF("an item of the type '\(item.type)' is longer than the file")
            }
            return ranges
        case .elsewhere(let reason):
            throw .unreadableHEIF("an item of the type '\(item.type)' is \(reason)")
        case .nowhere:
            throw .damagedHEIF("an item of the type '\(item.type)' has no location")
        }
    }

    /// Returns whether the file ends before the last byte of an item.
    func isCutOff(_ item: HEIFItem) -> Bool {
        guard case .file(let ranges) = item.location else { return false }
        return ranges.contains { $0.upperBound > file.count }
    }

    /// Returns the bytes of an item in one array. Throws the errors of ``ranges(of:)``.
    func bytes(of item: HEIFItem) throws(ImageError) -> [UInt8] {
        var bytes: [UInt8] = []
        for range in try ranges(of: item) { bytes += file[range] }
        return bytes
    }

    // MARK: Boxes

    private func readHandler(_ box: HEIFBox) throws(ImageError) {
        var cursor = HEIFCursor(box, of: file)
        _ = try cursor.take(8)
        let handler = try cursor.fourCC()
        guard handler == "pict" else { throw .damagedHEIF("it contains '\(handler)' instead of pictures") }
    }

    private mutating func readPrimary(_ box: HEIFBox) throws(ImageError) {
        var cursor = HEIFCursor(box, of: file)
        let (version, _) = try cursor.versionAndFlags()
        primary = try cursor.number(bytes: version == 0 ? 2 : 4)
    }

    private mutating func readItems(_ box: HEIFBox) throws(ImageError) {
        var cursor = HEIFCursor(box, of: file)
        let (version, _) = try cursor.versionAndFlags()
        _ = try cursor.number(bytes: version == 0 ? 2 : 4)
        for entry in try HEIFBox.all(in: cursor.rest, of: file, name: box.type) where entry.type == "infe" {
            var cursor = HEIFCursor(entry, of: file)
            let (version, _) = try cursor.versionAndFlags()
            // Older versions have no item types, and therefore no pictures.
            guard version == 2 || version == 3 else { continue }
            let number = try cursor.number(bytes: version == 2 ? 2 : 4)
            let isProtected = try cursor.number(bytes: 2) != 0
            let type = try cursor.fourCC()
            _ = cursor.text()
            let isMedia = type == "mime"
            guard items[number] == nil, !isProtected else { continue }
            items[number] = HEIFItem(
                type: type, contentType: isMedia ? cursor.text() : "", contentEncoding: isMedia ? cursor.text() : "")
        }
    }

    private mutating func readLocations(_ box: HEIFBox, data: Range<Int>?) throws(ImageError) {
        var cursor = HEIFCursor(box, of: file)
        let (version, _) = try cursor.versionAndFlags()
        guard version <= 2 else { throw .unreadableHEIF("the box 'iloc' has the unknown version \(version)") }
        let sizes = try cursor.number(bytes: 2)
        let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexSize = version == 0 ? 0 : sizes & 15
        guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy([0, 4, 8].contains) else {
            throw .damagedHEIF("the box 'iloc' has numbers of an invalid length")
        }
        for _ in 0..<(try cursor.number(bytes: version < 2 ? 2 : 4)) {
            let number = try cursor.number(bytes: version < 2 ? 2 : 4)
            let method = version == 0 ? 0 : try cursor.number(bytes: 2) & 15
            let isElsewhere = try cursor.number(bytes: 2) != 0
            let base = try cursor.number(bytes: baseSize)
            let count = try cursor.number(bytes: 2)
            guard count <= 1 || lengthSize > 0 else { throw .damagedHEIF("parts of an item have no lengths") }
            var parts: [Range<Int>] = []
            for _ in 0..<count {
                _ = try cursor.take(indexSize)
                let offset = try cursor.number(bytes: offsetSize)
                let length = try cursor.number(bytes: lengthSize)
                let start = base.addingReportingOverflow(offset)
                let end = start.partialValue.addingReportingOverflow(length)
                guard !start.overflow, !end.overflow else {
                    throw .damagedHEIF("the location of an item is out of range")
                }
                parts.append(start.partialValue..<end.partialValue)
            }
            guard let item = items[number], case .nowhere = item.location else { continue }
            items[number]?.location = Self.location(parts, method: isElsewhere ? nil : method, data: data)
        }
    }

    /// Returns the location of an item's bytes.
    /// - Parameters:
    ///   - parts: The ranges of the item, relative to the start of the file or of the contents of the `idat` box.
    ///   - method: The construction method: 0 for the file, 1 for the `idat` box; nil if the item is in another file.
    ///   - data: The range of the contents of the `idat` box; nil if there is no such box.
    private static func location(_ parts: [Range<Int>], method: Int?, data: Range<Int>?) -> HEIFItem.Location {
        switch method {
        case 0: return .file(parts)
        case 1:
            guard let data, parts.allSatisfy({ $0.upperBound <= data.count }) else {
                return .elsewhere("outside the box 'idat'")
            }
            return .file(parts.map { $0.lowerBound + data.lowerBound..<$0.upperBound + data.lowerBound })
        case .some: return .elsewhere("constructed from other items, which is not supported")
        case nil: return .elsewhere("in another file")
        }
    }

    private mutating func readReferences(_ box: HEIFBox) throws(ImageError) {
        var cursor = HEIFCursor(box, of: file)
        let (version, _) = try cursor.versionAndFlags()
        guard version <= 1 else { throw .unreadableHEIF("the box 'iref' has the unknown version \(version)") }
        let size = version == 0 ? 2 : 4
        for entry in try HEIFBox.all(in: cursor.rest, of: file, name: box.type) {
            var cursor = HEIFCursor(entry, of: file)
            let source = try cursor.number(bytes: size)
            var targets: [Int] = []
            for _ in 0..<(try cursor.number(bytes: 2)) { targets.append(try cursor.number(bytes: size)) }
            references.append(HEIFReference(type: entry.type, source: source, targets: targets))
        }
    }

    private mutating func readProperties(_ box: HEIFBox) throws(ImageError) {
        for part in try HEIFBox.all(in: box.body, of: file, name: box.type) {
            switch part.type {
            case "ipco" where properties.isEmpty:
                properties = try HEIFBox.all(in: part.body, of: file, name: part.type)
            case "ipma": try readAssociations(part)
            default: break
            }
        }
    }

    private mutating func readAssociations(_ box: HEIFBox) throws(ImageError) {
        var cursor = HEIFCursor(box, of: file)
        let (version, flags) = try cursor.versionAndFlags()
        let hasWidePlaces = flags & 1 != 0
        for _ in 0..<(try cursor.number(bytes: 4)) {
            let number = try cursor.number(bytes: version == 0 ? 2 : 4)
            var associations: [HEIFItem.Association] = []
            for _ in 0..<(try cursor.number(bytes: 1)) {
                let entry = try cursor.number(bytes: hasWidePlaces ? 2 : 1)
                let mark = hasWidePlaces ? 0x8000 : 0x80
                associations.append(HEIFItem.Association(place: entry & (mark - 1), isEssential: entry & mark != 0))
            }
            // Only the first entry of an item counts.
            if items[number]?.properties.isEmpty == true { items[number]?.properties = associations }
        }
    }
}
#endif
