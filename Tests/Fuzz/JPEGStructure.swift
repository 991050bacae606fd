import CalotypeTesting

/// A JPEG as segments and the data of scans between them. Source: ITU-T T.81, annex B.
enum JPEGStructure {
    private static let startOfImage: UInt8 = 0xD8
    private static let endOfImage: UInt8 = 0xD9

    static func parts(of bytes: [UInt8]) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            var end = start
            if isSegment(bytes[start...]) {
                let length = bytes.number(byteCount: 2, at: start + 2) ?? 0
                end = min(bytes.count, start + 2 + max(2, length))
            } else if isMarker(bytes[start...]) {
                end = start + 2
            } else {
                // The data of a scan, up to the next marker.
                end = bytes.indices[(start + 1)...].first { isMarker(bytes[$0...]) } ?? bytes.count
            }
            parts.append(Array(bytes[start..<end]))
            start = end
        }
        return parts
    }

    /// Corrects the lengths of most segments.
    static func mend(_ parts: inout [[UInt8]], _ random: inout SplitMix64) {
        for index in parts.indices where isSegment(parts[index][...]) {
            guard Int.random(in: 0..<8, using: &random) > 0 else { continue }
            parts[index].write(UInt64(parts[index].count - 2), byteCount: 2, at: 2)
        }
    }

    /// Returns whether bytes begin with a marker that is not a restart marker. 0xFF 0x00 is data.
    private static func isMarker(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count >= 2, bytes[bytes.startIndex] == 0xFF else { return false }
        let marker = bytes[bytes.startIndex + 1]
        return marker != 0 && marker != 0xFF && !(0xD0...0xD7).contains(marker)
    }

    /// Returns whether bytes begin with a marker that has a length.
    private static func isSegment(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count >= 4, isMarker(bytes) else { return false }
        let marker = bytes[bytes.startIndex + 1]
        return marker != startOfImage && marker != endOfImage
    }
}
