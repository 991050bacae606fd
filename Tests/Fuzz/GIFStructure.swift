import CalotypeTesting

/// A GIF as a header, descriptors with their palettes, and chains of sub-blocks. Source: Graphics Interchange Format,
/// version 89a, sections 15 to 27.
enum GIFStructure {
    private static let screenByteCount = 13
    private static let imageByteCount = 10
    private static let extensionMark: UInt8 = 0x21
    private static let imageMark: UInt8 = 0x2C

    static func parts(of bytes: [UInt8]) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        var start = 0
        func take(_ count: Int) {
            let end = min(bytes.count, start + count)
            if start < end { parts.append(Array(bytes[start..<end])) }
            start = end
        }
        take(screenByteCount + (bytes.count > 10 ? paletteByteCount(bytes[10]) : 0))
        while start < bytes.count {
            switch bytes[start] {
            case extensionMark: take(2 + chainByteCount(bytes, from: start + 2))
            case imageMark:
                let flags = start + imageByteCount <= bytes.count ? bytes[start + imageByteCount - 1] : 0
                take(imageByteCount + paletteByteCount(flags))
                take(1 + chainByteCount(bytes, from: start + 1))
            default: take(1)
            }
        }
        return parts
    }

    /// Repairs most chains of sub-blocks.
    static func mend(_ parts: inout [[UInt8]], _ random: inout SplitMix64) {
        for index in parts.indices.dropFirst() where parts[index].count > 2 && parts[index][0] != imageMark {
            guard Int.random(in: 0..<8, using: &random) > 0 else { continue }
            let head = parts[index][0] == extensionMark ? 2 : 1
            var place = head
            while place < parts[index].count, parts[index][place] > 0 {
                let next = place + 1 + Int(parts[index][place])
                if next >= parts[index].count { parts[index][place] = UInt8(parts[index].count - place - 1) }
                place = next
            }
            if parts[index].last != 0 { parts[index].append(0) }
        }
    }

    /// Returns the length of the palette that a descriptor's flags declare.
    private static func paletteByteCount(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }

    /// Returns the length of a chain of sub-blocks, including its terminator.
    private static func chainByteCount(_ bytes: [UInt8], from start: Int) -> Int {
        var place = start
        while place < bytes.count, bytes[place] > 0 { place += 1 + Int(bytes[place]) }
        return place + 1 - start
    }
}
