/// The part of an XMP packet that encoding needs: how to turn the picture.
enum XMP {
    private static let orientationName = Array("tiff:Orientation".utf8)
    /// The characters between the name of a property and its value, which is an attribute or an element.
    private static let separators = Set(" \t\r\n=>\"'".utf8)
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    /// A copy of a packet that says how to turn the picture wherever it said so: some readers believe it where EXIF is
    /// silent. One that is not in UTF-8, or spells the name with another prefix, stays as it is.
    static func packet(_ packet: Data, orientedAs orientation: Orientation) -> Data {
        let bytes = Array(packet)
        var made: [UInt8] = []
        made.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            // Behind the tag that ends an element stands nothing of it.
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
