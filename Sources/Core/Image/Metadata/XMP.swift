/// Functions for the part of an XMP packet that encoding needs: the orientation.
enum XMP {
    private static let orientationName = Array("tiff:Orientation".utf8)
    /// The characters that can occur between the name of a property and its value, in an XML attribute or element.
    private static let separators = Set(" \t\r\n=>\"'".utf8)
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    /// Returns a copy of a packet in which every orientation is replaced. Some readers use the orientation in XMP if
    /// the EXIF block has none. A packet in UTF-16 or UTF-32, or with a prefix other than `tiff:`, is returned
    /// unchanged.
    static func packet(_ packet: Data, orientedAs orientation: Orientation) -> Data {
        let bytes = Array(packet)
        var made: [UInt8] = []
        made.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            // The name in a closing tag is not followed by a value.
            let isEnd = place > 0 && bytes[place - 1] == UInt8(ascii: "/")
            guard !isEnd, bytes[place...].starts(with: orientationName) else {
                made.append(bytes[place])
                place += 1
                continue
            }
            let name = place + orientationName.count
            let value = bytes[name...].firstIndex { !separators.contains($0) } ?? bytes.count
            place = bytes[value...].firstIndex { !digits.contains($0) } ?? bytes.count
            made += bytes[name - orientationName.count..<value]
            if place > value { made += Array("\(orientation.rawValue)".utf8) }
        }
        return Data(made)
    }
}
