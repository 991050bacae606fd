import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct EXIFTests {
    /// An entry of a directory. `value` is stored in the first bytes of its field, according to the type.
    struct Entry {
        var tag = 0x0112
        var type = 3
        var count = 1
        var value: Int
    }

    private func orientation(of bytes: [UInt8]) -> Orientation {
        let data = Data(bytes)
        return EXIF.orientation(of: data.bytes)
    }

    private func digits(_ value: Int, byteCount: Int, isLittleEndian: Bool) -> [UInt8] {
        let little = (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return isLittleEndian ? little : little.reversed()
    }

    /// Returns a block with these entries in its first directory.
    private func block(
        _ entries: [Entry], isLittleEndian: Bool = true, magic: Int = 42, directory: Int = 8, entryCount: Int? = nil
    ) -> [UInt8] {
        func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
            digits(value, byteCount: byteCount, isLittleEndian: isLittleEndian)
        }
        var bytes = Array((isLittleEndian ? "II" : "MM").utf8)
        bytes += number(magic, 2) + number(directory, 4)
        bytes += number(entryCount ?? entries.count, 2)
        for entry in entries {
            bytes += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4)
            let byteCount = [1: 1, 3: 2, 6: 1, 8: 2][entry.type] ?? 4
            bytes += number(entry.value, byteCount) + [UInt8](repeating: 0, count: 4 - byteCount)
        }
        return bytes + number(0, 4)
    }

    // MARK: Valid blocks

    @Test(arguments: Orientation.allCases, [true, false])
    func `the orientation is read in both byte orders`(_ expected: Orientation, isLittleEndian: Bool) {
        let entry = Entry(value: Int(expected.rawValue))
        let bytes = block([entry], isLittleEndian: isLittleEndian)
        #expect(orientation(of: bytes) == expected)
        #expect(orientation(of: Array("Exif\0\0".utf8) + bytes) == expected)
    }

    @Test func `the orientation is found anywhere in the directory`() {
        let others = [Entry(tag: 0x010F, type: 2, count: 9, value: 38), Entry(tag: 0x0110, value: 3)]
        #expect(orientation(of: block(others + [Entry(value: 6)])) == .right)
        #expect(orientation(of: block([Entry(value: 6)] + others)) == .right)
        #expect(orientation(of: block(others)) == .up)
    }

    @Test func `the directory may be anywhere after the header`() {
        let compact = block([Entry(value: 8)], directory: 11)
        let bytes = Array(compact.prefix(8)) + [7, 7, 7] + Array(compact.dropFirst(8))
        #expect(orientation(of: bytes) == .left)
    }

    @Test(arguments: Orientation.allCases)
    func `a new block has the given orientation`(_ expected: Orientation) {
        let made = EXIF.block(for: expected)
        #expect(made.count == 26)
        #expect(EXIF.orientation(of: made.bytes) == expected)
    }

    // MARK: Invalid blocks

    @Test func `an invalid orientation is read as upright`() {
        for value in [0, 9, 255, 0x0106, 0xFFFF] {
            #expect(orientation(of: block([Entry(value: value)])) == .up)
        }
    }

    /// BYTE, SHORT, LONG, and their signed counterparts.
    @Test(arguments: [1, 3, 4, 6, 8, 9], [true, false])
    func `a whole number of any type is read`(_ type: Int, isLittleEndian: Bool) {
        for expected in Orientation.allCases {
            let entry = Entry(type: type, value: Int(expected.rawValue))
            #expect(orientation(of: block([entry], isLittleEndian: isLittleEndian)) == expected)
        }
        for value in [0, 9, -1, -6] {
            #expect(orientation(of: block([Entry(type: type, value: value)], isLittleEndian: isLittleEndian)) == .up)
        }
    }

    @Test func `an entry of another type or count is read as upright`() {
        // ASCII, RATIONAL, UNDEFINED, SRATIONAL, FLOAT, DOUBLE, IFD, and undefined types.
        for type in [2, 5, 7, 10, 11, 12, 13, 0, 14, 129, 0xFFFF] {
            #expect(orientation(of: block([Entry(type: type, value: 6)])) == .up)
        }
        #expect(orientation(of: block([Entry(type: 9, count: 2, value: 6)])) == .up)
        #expect(orientation(of: block([Entry(count: 0, value: 6)])) == .up)
        #expect(orientation(of: block([Entry(count: 2, value: 6)])) == .up)
    }

    @Test func `a damaged header is read as upright`() {
        let good = block([Entry(value: 6)])
        #expect(orientation(of: block([Entry(value: 6)], magic: 43)) == .up)
        #expect(orientation(of: Array("IM".utf8) + good.dropFirst(2)) == .up)
        #expect(orientation(of: Array("MM".utf8) + good.dropFirst(2)) == .up)
        #expect(orientation(of: Array("Exif\0".utf8) + good) == .up)
        #expect(orientation(of: Array("Exif\0\0Exif\0\0".utf8) + good) == .up)
    }

    @Test(arguments: [0, 2, 7, 9, 25, 26, 27, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFF8, 0xFFFF_FFFF])
    func `a directory outside the block is read as upright`(_ directory: Int) {
        for isLittleEndian in [true, false] {
            let bytes = block([Entry(value: 6)], isLittleEndian: isLittleEndian, directory: directory)
            #expect(orientation(of: bytes) == .up)
        }
    }

    @Test func `a directory with too few entries ends with the data`() {
        #expect(orientation(of: block([Entry(tag: 0x0100, value: 1)], entryCount: 0xFFFF)) == .up)
        #expect(orientation(of: block([Entry(value: 6)], entryCount: 0xFFFF)) == .right)
        #expect(orientation(of: block([Entry(value: 6)], entryCount: 0)) == .up)
    }

    @Test func `a block cut off before the value is read as upright`() {
        let prefixes: [[UInt8]] = [[], Array("Exif\0\0".utf8)]
        for prefix in prefixes {
            let whole = prefix + Array(EXIF.block(for: .right))
            // The value is in the last two of the first 20 bytes.
            for count in 0..<whole.count {
                let expected: Orientation = count >= prefix.count + 20 ? .right : .up
                #expect(orientation(of: Array(whole.prefix(count))) == expected, "\(count) bytes")
            }
        }
    }
}
