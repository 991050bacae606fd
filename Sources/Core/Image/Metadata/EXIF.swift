/// Functions for the parts of an EXIF block that decoding and encoding need: the orientation, the rights and the
/// thumbnail. Safe for untrusted bytes.
///
/// Source: CIPA DC-008 (EXIF 2.32), sections 4.5 and 4.6. The structure of a block is that of TIFF 6.0, section 2.
public enum EXIF {
    /// The prefix of a block in JPEG files. Some WebP files contain it as well, although they should not.
    private static let prefix = Array("Exif\0\0".utf8)
    static let orientationTag = 0x0112
    /// The type SHORT: unsigned 16-bit numbers.
    static let short = 3
    /// The number of bytes of a whole number, by its type: BYTE, SHORT, LONG, SBYTE, SSHORT or SLONG.
    private static let integerByteCounts = [1: 1, short: 2, 4: 4, 6: 1, 8: 2, 9: 4]
    static let entryByteCount = 12

    /// Returns the orientation in an EXIF block.
    ///
    /// Each entry of the first directory is read at most once. The specification requires the type SHORT, but all types
    /// of whole numbers are accepted, because some cameras and programs write them.
    /// - Parameter block: The block, with or without `Exif` and two zero bytes before its byte order mark (`II` or
    ///   `MM`).
    /// - Returns: The orientation. `.up` if the block has none, is damaged, or states an invalid orientation.
    public static func orientation(of block: RawSpan) -> Orientation {
        guard let header = Header(block) else { return .up }
        let directory = header.start + header.directory
        let isLittleEndian = header.isLittleEndian
        guard let entryCount = number(in: block, at: directory, byteCount: 2, isLittleEndian: isLittleEndian) else {
            return .up
        }
        for index in 0..<entryCount {
            let entry = directory + 2 + index * entryByteCount
            guard let tag = number(in: block, at: entry, byteCount: 2, isLittleEndian: isLittleEndian) else {
                return .up
            }
            guard tag == orientationTag else { continue }
            guard let type = number(in: block, at: entry + 2, byteCount: 2, isLittleEndian: isLittleEndian),
                let byteCount = integerByteCounts[type],
                number(in: block, at: entry + 4, byteCount: 4, isLittleEndian: isLittleEndian) == 1,
                let value = number(in: block, at: entry + 8, byteCount: byteCount, isLittleEndian: isLittleEndian),
                let rawValue = UInt8(exactly: value), let orientation = Orientation(rawValue: rawValue)
            else { return .up }
            return orientation
        }
        return .up
    }

    /// Returns an EXIF block without the prefix that some files put before it: `Exif` and two zero bytes.
    public static func withoutPrefix(_ block: Data) -> Data {
        hasPrefix(block.bytes) ? Data(block.dropFirst(prefix.count)) : block
    }

    /// Returns whether bytes are an EXIF block that begins with its byte order mark, without a prefix.
    package static func isBlock(_ bytes: Data) -> Bool {
        !hasPrefix(bytes.bytes) && Header(bytes.bytes) != nil
    }

    /// Returns the smallest EXIF block with an orientation: 26 bytes from the byte order mark on, without a prefix.
    public static func block(for orientation: Orientation) -> Data {
        let bytes: [UInt8] = [
            0x4D, 0x4D, 0, 42, 0, 0, 0, 8,  // big-endian; the directory follows at once
            0, 1,  // one entry
            0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation.rawValue, 0, 0,
            0, 0, 0, 0,  // no other directory
        ]
        return Data(bytes)
    }

    /// The header of a block.
    struct Header {
        /// The offset of the byte order mark. All offsets in the block are relative to this offset.
        let start: Int
        let isLittleEndian: Bool
        /// The offset of the first directory from the byte order mark.
        let directory: Int

        /// Creates the header of a block. Returns nil if the bytes are not a block.
        init?(_ block: RawSpan) {
            let start = EXIF.hasPrefix(block) ? EXIF.prefix.count : 0
            let mark = EXIF.number(in: block, at: start, byteCount: 2, isLittleEndian: false)
            guard mark == 0x4949 || mark == 0x4D4D else { return nil }
            let isLittleEndian = mark == 0x4949
            guard EXIF.number(in: block, at: start + 2, byteCount: 2, isLittleEndian: isLittleEndian) == 42,
                let directory = EXIF.number(in: block, at: start + 4, byteCount: 4, isLittleEndian: isLittleEndian),
                // An offset into the header is invalid, and the upper bound keeps sums with it small.
                directory >= 8, directory <= block.byteCount
            else { return nil }
            self.start = start
            self.isLittleEndian = isLittleEndian
            self.directory = directory
        }
    }

    private static func hasPrefix(_ block: RawSpan) -> Bool {
        for (index, byte) in prefix.enumerated()
        where number(in: block, at: index, byteCount: 1, isLittleEndian: false) != Int(byte) {
            return false
        }
        return true
    }

    /// Returns the whole number in the `byteCount` bytes at `offset`. Returns nil if some of the bytes are missing.
    static func number(
        in block: RawSpan, at offset: Int, byteCount: Int, isLittleEndian: Bool
    ) -> Int? {
        guard offset >= 0, offset <= block.byteCount - byteCount else { return nil }
        var value = 0
        for index in 0..<byteCount {
            let place = isLittleEndian ? byteCount - 1 - index : index
            value = value << 8 | Int(block.unsafeLoad(fromByteOffset: offset + place, as: UInt8.self))
        }
        return value
    }
}
