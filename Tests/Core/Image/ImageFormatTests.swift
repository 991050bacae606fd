import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct ImageFormatTests {
    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// Returns the first box of an ISO media file, with a type and a brand.
    private static func box(_ text: String) -> [UInt8] { [0, 0, 0, 24] + Array(text.utf8) }

    /// Returns the start of a RIFF container.
    private static func riff(_ kind: String, form: String = "RIFF") -> [UInt8] {
        Array(form.utf8) + [0x12, 0x34, 0x56, 0x78] + Array(kind.utf8)
    }

    private func sniff(_ bytes: [UInt8], among formats: [ImageFormat] = []) -> ImageFormat? {
        let data = Data(bytes)
        return ImageFormat.sniff(data.bytes, among: formats)
    }

    private func matches(_ format: ImageFormat, _ bytes: [UInt8]) -> Bool {
        let data = Data(bytes)
        return format.matches(data.bytes)
    }

    // MARK: Known formats

    /// The shortest prefixes that identify the formats.
    static let heads: [(ImageFormat, [UInt8])] = [
        (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        (.jpeg, [0xFF, 0xD8, 0xFF]),
        (.gif, text("GIF87a")),
        (.gif, text("GIF89a")),
        (.webp, riff("WEBP")),
        (.heic, box("ftypheic")),
        (.heic, box("ftypheix")),
        (.heic, box("ftyphevc")),
        (.heic, box("ftypmif1")),
        (.heic, box("ftypmsf1")),
        (.avif, box("ftypavif")),
        (.avif, box("ftypavis")),
        (.tiff, [0x49, 0x49, 0x2A, 0x00]),
        (.tiff, [0x4D, 0x4D, 0x00, 0x2A]),
        (.bmp, [0x42, 0x4D, 0x36, 0x10, 0x0E, 0, 0, 0, 0, 0]),
    ]

    @Test(arguments: ["avif", "mif1avif", "mif1miafavif"])
    func `a file of the generic brand is AVIF if a compatible brand says so`(brands: String) {
        #expect(sniff(Self.box("ftypmif1\0\0\0\0" + brands)) == .avif)
        #expect(sniff(Self.box("ftypmif1\0\0\0\0mif1heic")) == .heic)
    }

    @Test(arguments: ImageFormatTests.heads)
    func `each format is recognized by its whole signature, whatever follows`(format: ImageFormat, head: [UInt8]) {
        #expect(sniff(head) == format)
        #expect(sniff(head + [UInt8](repeating: 0xA7, count: 60)) == format)
        #expect(matches(format, head))
    }

    @Test(arguments: ImageFormatTests.heads)
    func `a truncated signature is not recognized`(format: ImageFormat, head: [UInt8]) {
        for count in head.indices {
            #expect(sniff(Array(head.prefix(count))) == nil, "\(format) of \(count) bytes")
        }
    }

    @Test(arguments: ImageFormatTests.heads)
    func `a signature is recognized only at the beginning`(format: ImageFormat, head: [UInt8]) {
        #expect(sniff([0] + head) == nil)
    }

    static let nearMisses: [[UInt8]] = [
        // The two bytes that are often used to identify a JPEG are not enough, nor are they with a third byte that
        // begins no marker.
        [0xFF, 0xD8], [0xFF, 0xD8, 0x00, 0xFF], [0xD8, 0xFF, 0xE0],
        // RIFF is also used for sound.
        riff("WAVE"), riff("WEBP", form: "RIFX"), text("RIFFWEBP____"),
        // Many texts begin with these two letters; the reserved fields of a bitmap are zero.
        text("BM"), text("BMW is a make of cars"), [0x42, 0x4D, 0x36, 0x10, 0x0E, 0, 1, 0, 0, 0],
        text("GIF88a"), text("GIF89"), text("gif89a"),
        // PNG's signature after a transfer as text, or without its high bits.
        [0x89, 0x50, 0x4E, 0x47, 0x0A, 0x1A, 0x0A, 0x0A], [0x09, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
        // Movies and sound have the same first box as HEIF.
        box("ftypmp42"), box("ftypqt  "), box("moovheic"),
        [0x49, 0x49, 0x00, 0x2A], [0x4D, 0x4D, 0x2A, 0x00],
        text("<svg xmlns='http://www.w3.org/2000/svg'>"), text("<!DOCTYPE html>"), [], [0],
    ]

    @Test(arguments: ImageFormatTests.nearMisses)
    func `an almost correct signature is not recognized`(head: [UInt8]) {
        #expect(sniff(head) == nil)
    }

    @Test func `32 bytes are enough for every known format`() {
        for format in ImageFormat.known {
            #expect(format.signatures.allSatisfy { $0.end <= 32 }, "\(format)")
            #expect(!format.signatures.isEmpty, "\(format)")
            #expect(!format.mimeTypes.isEmpty && !format.fileExtensions.isEmpty, "\(format)")
        }
        #expect(Set(ImageFormat.known).count == ImageFormat.known.count)
    }

    // MARK: Custom formats

    @Test func `given formats are tried before known ones, in their order`() {
        let first = ImageFormat(
            name: "first", mimeTypes: [], fileExtensions: [], signatures: [ImageFormat.Signature([0xFF, 0xD8, 0xFF])])
        let second = ImageFormat(
            name: "second", mimeTypes: [], fileExtensions: [], signatures: [ImageFormat.Signature([0xFF])])
        #expect(sniff([0xFF, 0xD8, 0xFF], among: [first, second]) == first)
        #expect(sniff([0xFF, 0xD8, 0xFF], among: [second, first]) == second)
        #expect(sniff([0xFF, 0xD8, 0xFE], among: [first, second]) == second)
        #expect(sniff([0x49, 0x49, 0x2A, 0x00], among: [first, second]) == .tiff)
        #expect(sniff([], among: [first, second]) == nil)
    }

    @Test func `a signature may have an offset and a mask`() {
        let format = ImageFormat(
            name: "tagged", mimeTypes: [], fileExtensions: [],
            signatures: [ImageFormat.Signature([0xAF, 0x42], mask: [0xF0, 0xFF], offset: 3)])
        #expect(matches(format, [0, 0, 0, 0xA0, 0x42]))
        #expect(matches(format, [9, 9, 9, 0xA7, 0x42, 9]))
        #expect(!matches(format, [0, 0, 0, 0xB0, 0x42]))
        #expect(!matches(format, [0, 0, 0, 0xA0, 0x43]))
        #expect(!matches(format, [0, 0, 0xA0, 0x42]))
        #expect(!matches(format, [0, 0, 0, 0xA0]))
    }

    @Test func `any of several signatures is enough, and a format without one is never recognized`() {
        let two = ImageFormat(
            name: "two", mimeTypes: [], fileExtensions: [],
            signatures: [ImageFormat.Signature([1]), ImageFormat.Signature([2])])
        #expect(matches(two, [1]))
        #expect(matches(two, [2]))
        #expect(!matches(two, [3]))
        let none = ImageFormat(name: "none", mimeTypes: [], fileExtensions: [], signatures: [])
        #expect(!matches(none, [1]))
    }

    @Test func `formats with the same name are equal`() {
        let other = ImageFormat(name: "png", mimeTypes: [], fileExtensions: [], signatures: [])
        #expect(other == .png)
        #expect(Set([other, .png, .jpeg]).count == 2)
        #expect(ImageFormat.png.description == "png")
    }
}
