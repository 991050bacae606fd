import CalotypeTesting
import Testing

@testable import Calotype

/// Writing of EXIF blocks. The input blocks and the expected ones were made by other programs, or by hand according to
/// the specification.
@Suite(.timeLimit(.minutes(5)))
struct EXIFWritingTests {
    /// Made by ExifTool 12.57 in a JPEG of 16 x 12 pixels, with `-ExifByteOrder=II '-EXIF:Artist=Ann Ox'
    /// '-EXIF:Copyright=(c) 2024 Ann Ox' -EXIF:Make=Maker -EXIF:Orientation#=6 -EXIF:ExifImageWidth=16
    /// -EXIF:ExifImageHeight=12 -EXIF:GPSLatitude=12.5 -EXIF:GPSLatitudeRef=N -EXIF:GPSLongitude=3.25
    /// -EXIF:GPSLongitudeRef=E '-ThumbnailImage<=thumbnail.jpg'`, and extracted with `exiftool -b -Exif`.
    static let block = bytes(
        """
        49492a00080000000a000f01020006000000860000001201030001000000060000001a010500010000008c0000001b01
        050001000000940000002801030001000000010000003b010200070000009c0000001302030001000000010000009882
        020010000000a40000006987040001000000b4000000258804000100000002010000740100004d616b65720001000000
        010000000100000001000000416e6e204f780000286329203230323420416e6e204f7800060000900700040000003032
        333201910700040000000102030000a00700040000003031303001a0030001000000ffff000002a00300010000001000
        000003a00300010000000c00000000000000050000000100040000000203000001000200020000004e00000002000500
        030000004401000003000200020000004500000004000500030000005c010000000000000c000000010000001e000000
        01000000000000000100000003000000010000000f000000010000000000000001000000060003010300010000000600
        00001a01050001000000c20100001b01050001000000ca0100002801030001000000020000000102040001000000d201
        00000202040001000000160000000000000048000000010000004800000001000000ffd8ffe000104a46494600010100
        000100010000ffd9
        """)
    /// The thumbnail that was embedded there, with the first and last bytes of a JPEG.
    static let thumbnail = bytes("ffd8ffe000104a46494600010100000100010000ffd9")
    /// Made by Pillow 13.0: orientation 3, an artist A, a copyright Pil, a width of 16; with the prefix of JPEG.
    private static let prefixed = bytes(
        """
        4578696600004d4d002a000000080004011200030000000100030000013b000200000002410000008298000200000004
        50696c0087690004000000010000003e000000000001a0020003000000010010000000000000
        """)
    /// Made manually: only the maker, `ABC`.
    private static let short = bytes("49492a0008000000 0100 0f010200040000004142430000000000")

    static func bytes(_ hexDigits: String) -> Data {
        let digits: [Int] = hexDigits.compactMap(\.hexDigitValue)
        let places: StrideTo<Int> = stride(from: 0, to: digits.count, by: 2)
        return Data(places.map { (place: Int) -> UInt8 in UInt8(digits[place] * 16 + digits[place + 1]) })
    }

    private func holds(_ data: Data, _ part: Data) -> Bool {
        data.indices.contains { data[$0...].starts(with: part) }
    }

    private func orientation(of block: Data) -> Orientation { EXIF.orientation(of: block.bytes) }

    // MARK: Orientation

    @Test(arguments: Orientation.allCases)
    func `an existing orientation is overwritten, and nothing else changes`(_ wanted: Orientation) {
        let made = EXIF.block(Self.block, orientedAs: wanted)
        var expected = Self.block
        expected[0x1E] = wanted.rawValue
        #expect(made == expected)
        let short = EXIF.block(Self.prefixed, orientedAs: wanted)
        var expectedShort = Data(Self.prefixed.dropFirst(6))
        expectedShort[19] = wanted.rawValue
        #expect(short == expectedShort)
    }

    @Test func `a missing orientation is inserted in order`() {
        let littleEndian = Self.bytes(
            """
            49492a001a000000 0100 0f010200040000004142430000000000
            0200 0f0102000400000041424300 120103000100000006000000 00000000
            """)
        #expect(EXIF.block(Self.short, orientedAs: .right) == littleEndian)
        // The entry is inserted before the copyright; the bytes after the directory are kept; an odd length is made
        // even.
        let bigEndian = Self.bytes("4d4d002a00000008 0001 829800020000000441424300 00000055 aa")
        let expected = Self.bytes(
            """
            4d4d002a0000001c 0001 829800020000000441424300 00000055 aa00
            0002 011200030000000100080000 829800020000000441424300 00000055
            """)
        #expect(EXIF.block(bigEndian, orientedAs: .left) == expected)
    }

    @Test func `a block without an orientation already means upright`() {
        #expect(EXIF.block(Self.short, orientedAs: .up) == Self.short)
    }

    @Test func `every orientation entry gets the same value`() {
        // An entry of another type, one with two values, and a duplicate.
        let block = Self.bytes(
            """
            4d4d002a00000008 0003 011200040000000100000006 011200030000000200060008 011200030000000100030000 00000000
            """)
        let expected = Self.bytes(
            """
            4d4d002a00000008 0003 011200030000000100080000 011200030000000100080000 011200030000000100080000 00000000
            """)
        #expect(EXIF.block(block, orientedAs: .left) == expected)
    }

    @Test func `an invalid block is replaced by the smallest one`() {
        for damaged in [Data(), Data("II*".utf8), Data("Exif\0\0Exif".utf8), Data(Self.block.dropFirst())] {
            #expect(EXIF.block(damaged, orientedAs: .down) == EXIF.block(for: .down))
        }
    }

    @Test func `a directory that is cut off is rewritten as far as it is present`() {
        let whole = Self.block
        for count in 8...140 {
            for wanted in [Orientation.up, .left] {
                let made = EXIF.block(Data(whole.prefix(count)), orientedAs: wanted)
                #expect(orientation(of: made) == wanted, "\(count) bytes")
            }
        }
        let made = EXIF.Block(EXIF.block(Data(whole.prefix(100)), orientedAs: .left))
        #expect(made?.first?.entries.map(\.tag) == [0x010F, 0x0112, 0x011A, 0x011B, 0x0128, 0x013B, 0x0213])
    }

    @Test func `a slice of data is read from its own start`() {
        let piece = (Data([1, 2, 3]) + Self.block).dropFirst(3)
        #expect(EXIF.block(piece, orientedAs: .right) == Self.block)
        #expect(EXIF.thumbnail(of: piece) == Self.thumbnail)
    }

    // MARK: Rights

    @Test func `the rights block keeps only the names of author and owner`() {
        let expected = Self.bytes(
            """
            4d4d002a00000020 416e6e204f7800 00 286329203230323420416e6e204f7800
            0002 013b00020000000700000008 829800020000001000000010 00000000
            """)
        #expect(EXIF.rights(of: Self.block) == expected)
        let short = Self.bytes("4d4d002a00000008 0002 013b00020000000241000000 829800020000000450696c00 00000000")
        #expect(EXIF.rights(of: Self.prefixed) == short)
    }

    @Test func `missing or invalid names give no rights block`() {
        #expect(EXIF.rights(of: Self.short) == nil)
        #expect(EXIF.rights(of: Data()) == nil)
        let spaces = Self.bytes("4d4d002a00000008 0001 013b00020000000420202000 00000000")
        #expect(EXIF.rights(of: spaces) == nil)
        let numbers = Self.bytes("4d4d002a00000008 0001 013b00040000000141414141 00000000")
        #expect(EXIF.rights(of: numbers) == nil)
        let outside = Self.bytes("4d4d002a00000008 0001 013b0002ffffffff00000008 00000000")
        #expect(EXIF.rights(of: outside) == nil)
    }

    @Test func `an unterminated name is terminated`() {
        let open = Self.bytes("4d4d002a00000008 0001 013b00020000000441424344 00000000")
        let expected = Self.bytes("4d4d002a0000000e 4142434400 00 0001 013b00020000000500000008 00000000")
        #expect(EXIF.rights(of: open) == expected)
    }

    // MARK: Thumbnails

    @Test func `a thumbnail is read`() {
        #expect(EXIF.thumbnail(of: Self.block) == Self.thumbnail)
        #expect(EXIF.thumbnail(of: Data("Exif\0\0".utf8) + Self.block) == Self.thumbnail)
        #expect(EXIF.thumbnail(of: Self.prefixed) == nil)
        #expect(EXIF.thumbnail(of: Data()) == nil)
        #expect(EXIF.thumbnail(of: Data(Self.block.dropLast())) == nil, "the thumbnail is cut off")
    }

    @Test func `a thumbnail is written with the required entries`() {
        let expected = Self.bytes(
            """
            4d4d002a00000008 0001 011200030000000100010000 0000002a 00000048000000010000004800000001
            0006 010300030000000100060000 011a0005000000010000001a 011b00050000000100000022
            012800030000000100020000 020100040000000100000078 020200040000000100000016 00000000
            ffd8ffe000104a46494600010100000100010000ffd9
            """)
        #expect(EXIF.block(nil, thumbnail: Self.thumbnail) == expected)
        #expect(EXIF.block(Data([1, 2, 3]), thumbnail: Self.thumbnail) == expected)
    }

    @Test func `a new thumbnail replaces the old one completely`() {
        let other = Self.bytes("ffd8ffdb0001ffd9")
        let made = EXIF.block(Self.block, thumbnail: other)
        #expect(EXIF.thumbnail(of: made) == other)
        #expect(!holds(made, Self.thumbnail))
        #expect(orientation(of: made) == .right)
        #expect(EXIF.rights(of: made) == EXIF.rights(of: Self.block))
        // If bytes follow the thumbnail, it is replaced by zeros, so that offsets stay valid.
        let followed = EXIF.block(Self.block + Data([7, 7]), thumbnail: other)
        #expect(EXIF.thumbnail(of: followed) == other)
        #expect(followed[466..<490] == Data(count: 22) + Data([7, 7]))
    }

    @Test func `a re-encoded picture loses its thumbnail and gets its new size`() throws {
        let made = try #require(EXIF.block(Self.block, pixelSize: PixelSize(0x12345, 48)))
        #expect(made.count == Self.block.count - Self.thumbnail.count)
        #expect(EXIF.thumbnail(of: made) == nil)
        #expect(holds(made, Self.bytes("02a0040001000000 45230100 03a0040001000000 30000000")))
        // The rest is unchanged, except for the offset of the thumbnail's directory.
        var expected = Self.block.dropLast(22)
        expected.replaceSubrange(130..<134, with: Data(count: 4))
        expected.replaceSubrange(230..<254, with: Self.bytes("02a004000100000045230100 03a004000100000030000000"))
        #expect(made == expected)
        #expect(EXIF.block(Self.short, pixelSize: PixelSize(2, 2)) == Self.short)
        #expect(EXIF.block(Data("II*".utf8), pixelSize: PixelSize(2, 2)) == nil)
    }

    // MARK: Untrusted bytes

    @Test func `a thumbnail in overlapping parts is dropped`() {
        // Each part claims the whole block: erasing them all would write 29 GB.
        let stripCount = 60_000
        func number(_ value: Int) -> Data { Data((0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - $0 * 8)) }) }
        let places = 8 + 6 + 2 + 24 + 4
        var block = Self.bytes("4d4d002a00000008 0000 0000000e 0002 0111 0004") + number(stripCount) + number(places)
        block += Self.bytes("0117 0004") + number(stripCount) + number(places + stripCount * 4) + number(0)
        for _ in 0..<stripCount { block += number(8) }
        for _ in 0..<stripCount { block += number(stripCount * 8) }
        let made = EXIF.block(block, thumbnail: Self.thumbnail)
        #expect(EXIF.thumbnail(of: made) == Self.thumbnail)
    }

    @Test func `whatever the bytes are, what is written can be read`() {
        var random = SplitMix64(seed: 5)
        let sources = [Self.block, Self.prefixed, Self.short, EXIF.block(for: .left)]
        for round in 0..<20_000 {
            var bytes = sources[Int.random(in: 0..<sources.count, using: &random)]
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                // Large and small numbers often reveal errors with offsets and counts.
                bytes[place] =
                    switch Int.random(in: 0...2, using: &random) {
                    case 0: 0xFF
                    case 1: UInt8.random(in: 0...15, using: &random)
                    default: UInt8.random(in: 0...255, using: &random)
                    }
            }
            if Bool.random(using: &random) {
                bytes = Data(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
            }
            let wanted = Orientation.allCases[Int.random(in: 0..<8, using: &random)]
            var isRight = orientation(of: EXIF.block(bytes, orientedAs: wanted)) == wanted
            isRight = isRight && EXIF.thumbnail(of: EXIF.block(bytes, thumbnail: Self.thumbnail)) == Self.thumbnail
            if let renewed = EXIF.block(bytes, pixelSize: PixelSize(3, 4)) {
                let turned = EXIF.block(renewed, orientedAs: wanted)
                isRight = isRight && EXIF.thumbnail(of: turned) == nil && orientation(of: turned) == wanted
            }
            if let rights = EXIF.rights(of: bytes) { isRight = isRight && EXIF.rights(of: rights) == rights }
            _ = EXIF.thumbnail(of: bytes)
            guard isRight else {
                Issue.record("round \(round): \(Array(bytes))")
                return
            }
        }
    }
}
