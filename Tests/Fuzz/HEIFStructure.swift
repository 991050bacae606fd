import CalotypeTesting

/// A HEIF file as boxes. A container box is a part of its header alone, followed by its contents. Source: ISO/IEC
/// 14496-12:2022, sections 4.2 and 8.11.
enum HEIFStructure {
    /// The container boxes, with the length of the header before their contents.
    private static let holders = ["meta": 12, "iinf": 14, "iref": 12, "iprp": 8, "ipco": 8]
    /// The parent of each box, by name.
    private static let parents = [
        "ftyp": "", "mdat": "", "meta": "", "free": "", "moov": "", "hdlr": "meta", "pitm": "meta", "iinf": "meta",
        "iloc": "meta", "iref": "meta", "iprp": "meta", "idat": "meta", "dinf": "meta", "grpl": "meta", "infe": "iinf",
        "ipco": "iprp", "ipma": "iprp",
    ]

    static func parts(of bytes: [UInt8]) -> [[UInt8]] {
        bytes.parts { rest in
            guard rest.count >= 8 else { return nil }
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            return holders[name(of: rest)] ?? (length < 8 ? rest.count : length)
        }
    }

    /// Corrects the lengths of boxes, and often the file offsets in `iloc`.
    static func mend(_ parts: inout [[UInt8]], _ random: inout SplitMix64) {
        // The open containers from the outermost one, by name and index.
        var open: [(name: String, index: Int)] = []
        var lengths = parts.map(\.count)
        for index in parts.indices where parts[index].count >= 8 {
            let name = name(of: parts[index][...])
            if let parent = parents[name] {
                while let last = open.last, last.name != parent { open.removeLast() }
            }
            for holder in open { lengths[holder.index] += parts[index].count }
            if holders[name] != nil { open.append((name, index)) }
        }
        for index in parts.indices where parts[index].count >= 8 {
            parts[index].write(UInt64(lengths[index]), byteCount: 4, at: 0)
        }
        if Bool.random(using: &random) { mendPlaces(&parts) }
    }

    /// Moves the offsets in `iloc` to the current position of the box `mdat`. Handles only the usual layout, with one
    /// extent for each item.
    private static func mendPlaces(_ parts: inout [[UInt8]]) {
        guard let table = parts.firstIndex(where: { $0.count > 16 && name(of: $0[...]) == "iloc" }),
            let media = parts.firstIndex(where: { $0.count >= 8 && name(of: $0[...]) == "mdat" }),
            parts[table][12] == 0x44, parts[table][8] < 2
        else { return }
        // The item number, the construction method if present, the data reference and the extent count.
        let before = parts[table][8] == 0 ? 6 : 8
        let places = stride(from: 16 + before, to: parts[table].count - 7, by: before + 8)
        let offsets = places.compactMap { parts[table].number(byteCount: 4, at: $0) }
        guard let first = offsets.min() else { return }
        let start = parts[..<media].reduce(8) { $0 + $1.count }
        for (place, offset) in zip(places, offsets) {
            parts[table].write(UInt64(offset - first + start), byteCount: 4, at: place)
        }
    }

    private static func name(of box: ArraySlice<UInt8>) -> String {
        String(decoding: box.dropFirst(4).prefix(4), as: UTF8.self)
    }
}
