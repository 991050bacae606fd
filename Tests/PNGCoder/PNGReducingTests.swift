#if PNG
import Calotype
import Foundation
import Testing

@testable import CalotypePNG

/// Pictures are written with the fewest bits that represent them exactly.
@Suite(.timeLimit(.minutes(5)))
struct PNGReducingTests {
    /// The form of a file's samples.
    struct Form: Sendable, Equatable {
        let colorType: Int
        let bitDepth: Int

        init(_ colorType: Int, _ bitDepth: Int) {
            self.colorType = colorType
            self.bitDepth = bitDepth
        }
    }

    private let manager = ImageManager(plugins: [.png], context: [.off(.imageCache)])

    /// Writes a picture and compares it with the results of the specification's rules and our decoder.
    private func write(
        _ pixels: PixelBuffer, profile: ColorProfile = .sRGB, context: ImageContext = []
    ) async throws -> WrittenPNG {
        let image = Image(pixels: pixels, attributes: Image.Attributes(profile: profile))
        let file = try await manager.encode(image, as: .png, context: context.merging([.pngCompressionLevel(0)]))
        let written = try WrittenPNG(file)
        #expect(written.size == pixels.size)
        #expect(try written.canvases() == [pixels.samples])
        let read = try await manager.decode(file, context: [.nativeDepth, .keepsProfile])
        #expect(read.pixels.samples == pixels.samples)
        #expect(read.attributes.profile == profile)
        return written
    }

    private func form(_ pixels: PixelBuffer, _ context: ImageContext = []) async throws -> Form {
        let written = try await write(pixels, context: context)
        return Form(written.colorType, written.bitDepth)
    }

    /// Returns an opaque color, which is different for each `index` up to 512.
    private func color(_ index: Int) -> [UInt8] {
        [UInt8(index % 256), UInt8(40 + index / 256), 200, 255]
    }

    private func gray(_ level: UInt8) -> [UInt8] { [level, level, level, 255] }

    // MARK: Palettes

    @Test(arguments: zip([2, 3, 4, 5, 16, 17, 256], [1, 2, 2, 4, 4, 8, 8]))
    func `few colors become a palette of the smallest depth`(_ count: Int, _ depth: Int) async throws {
        let pixels = try PixelBuffer.drawn(61, 67) { x, y in color((y * 61 + x) * 7 % count) }
        let written = try await write(pixels)
        #expect(Form(written.colorType, written.bitDepth) == Form(3, depth))
        // In the order of their first use.
        let expected = (0..<count).flatMap { color($0 * 7 % count).prefix(3) }
        #expect(written.body(of: "PLTE") == expected)
        #expect(written.body(of: "tRNS") == nil)
    }

    @Test func `257 colors make no palette`() async throws {
        let pixels = try PixelBuffer.drawn(61, 67) { x, y in color(min(y * 61 + x, 256)) }
        #expect(try await form(pixels) == Form(2, 8))
        let late = try PixelBuffer.drawn(61, 67) { x, y in color(x == 60 && y == 66 ? 256 : (y * 61 + x) % 256) }
        #expect(try await form(late) == Form(2, 8))
    }

    @Test(arguments: zip([2, 4, 16, 200], [1, 2, 4, 8]))
    func `runs of any length are packed from any bit`(_ count: Int, _ depth: Int) async throws {
        // Row y has runs of 1, 2, ..., y + 1 pixels, which begin in all places of a byte.
        let pixels = try PixelBuffer.drawn(97, 60) { x, y in
            var (left, run) = (x, 0)
            while left > run % (y + 1) {
                left -= run % (y + 1) + 1
                run += 1
            }
            return color((y * 31 + run) % count)
        }
        let written = try await write(pixels)
        #expect(Form(written.colorType, written.bitDepth) == Form(3, depth))
    }

    @Test func `rows of indices are packed from the highest bit`() async throws {
        let pixels = try PixelBuffer.drawn(13, 9) { x, y in color([0, 1, 2, 0, 2, 2, 1, 0, 0, 0, 1, 2, 1][x]) }
        let written = try await write(pixels)
        #expect(Form(written.colorType, written.bitDepth) == Form(3, 2))
        let rows = try written.rows(of: written.frames[0], written.size)
        #expect(rows == Array(repeating: [0b00_01_10_00, 0b10_10_01_00, 0b00_00_01_10, 0b01_00_00_00], count: 9))
    }

    @Test func `transparent colors come first in the palette, and invisible ones are kept`() async throws {
        let colors: [[UInt8]] = [
            [1, 2, 3, 255], [200, 100, 50, 0], [9, 9, 9, 255], [200, 100, 50, 255], [200, 100, 50, 128],
        ]
        let written = try await write(PixelBuffer.drawn(31, 30) { x, y in colors[(y * 31 + x) % 5] })
        #expect(Form(written.colorType, written.bitDepth) == Form(3, 4))
        #expect(
            written.body(of: "PLTE") == [200, 100, 50, 200, 100, 50, 1, 2, 3, 9, 9, 9, 200, 100, 50] as [UInt8])
        #expect(written.body(of: "tRNS") == [0, 128])
        let places = ["PLTE", "tRNS", "IDAT"].map { written.types.firstIndex(of: $0) ?? -1 }
        #expect(places == places.sorted() && places[0] > 0)
    }

    @Test func `256 colors may all be transparent`() async throws {
        let pixels = try PixelBuffer.drawn(64, 64) { x, y in
            let index = y % 4 * 64 + x
            return [UInt8(index), 7, 8, UInt8(index / 2)]
        }
        let written = try await write(pixels)
        #expect(Form(written.colorType, written.bitDepth) == Form(3, 8))
        #expect(written.body(of: "tRNS")?.count == 256)
    }

    @Test func `a palette that costs more than it saves is not used`() async throws {
        let small = try PixelBuffer.drawn(16, 16) { x, y in color(min(y * 16 + x, 199)) }
        #expect(try await form(small) == Form(2, 8))
        #expect(try await form(PixelBuffer.drawn(1, 1) { _, _ in [1, 2, 3, 255] }) == Form(2, 8))
        #expect(try await form(PixelBuffer.drawn(1, 1) { _, _ in [1, 2, 3, 4] }) == Form(6, 8))
        #expect(try await form(PixelBuffer.drawn(1, 1) { _, _ in [0, 0, 0, 0] }) == Form(4, 8))
        #expect(try await form(PixelBuffer.drawn(1, 1) { _, _ in [0, 0, 0, 255] }) == Form(0, 8))
    }

    // MARK: Gray

    static let grays: [(levels: [UInt8], form: Form)] = [
        ([0, 255], Form(0, 1)),
        ([255], Form(0, 1)),
        ([0, 85, 255], Form(0, 2)),
        ([0, 17, 34, 238, 255], Form(0, 4)),
        // PNG has no such levels with fewer bits, but a palette has.
        ([0, 17], Form(3, 1)),
        ([3, 200, 5], Form(3, 2)),
        (Array(0..<16), Form(3, 4)),
        (Array(0..<17), Form(0, 8)),
        (Array(0...255), Form(0, 8)),
    ]

    @Test(arguments: zip(PNGReducingTests.grays.map(\.levels), PNGReducingTests.grays.map(\.form)))
    func `few gray levels take few bits`(_ levels: [UInt8], _ expected: Form) async throws {
        let pixels = try PixelBuffer.drawn(61, 67) { x, y in
            gray(levels[(y * 61 + x) % levels.count])
        }
        #expect(try await form(pixels) == expected)
    }

    @Test func `gray with alpha stays gray, or becomes a small palette`() async throws {
        let many = try PixelBuffer.drawn(61, 67) { x, y in [UInt8(x), UInt8(x), UInt8(x), UInt8(y)] }
        #expect(try await form(many) == Form(4, 8))
        let few = try PixelBuffer.drawn(61, 67) { x, y in [UInt8(x % 2), UInt8(x % 2), UInt8(x % 2), UInt8(y % 2)] }
        #expect(try await form(few) == Form(3, 2))
    }

    @Test func `a palette counts as color for a profile`() async throws {
        let colorProfile = try Fixture.data("icc.icc")
        let grayProfile = try Fixture.data("gray.icc")
        let uneven = try PixelBuffer.drawn(30, 30) { x, _ in gray([3, 5, 200][x % 3]) }
        let even = try PixelBuffer.drawn(30, 30) { x, _ in gray([0, 255][x % 2]) }

        let plain = try await write(uneven, profile: .icc(grayProfile))
        #expect(Form(plain.colorType, plain.bitDepth) == Form(0, 8))
        let few = try await write(even, profile: .icc(grayProfile))
        #expect(Form(few.colorType, few.bitDepth) == Form(0, 1))
        let palette = try await write(even, profile: .icc(colorProfile))
        #expect(Form(palette.colorType, palette.bitDepth) == Form(3, 1))
    }

    // MARK: Unknown properties

    @Test(arguments: PixelFormat.allCases, PNGEncoderTests.kinds)
    func `flags missing in the layout are detected`(_ format: PixelFormat, _ kind: PNGEncoderTests.Kind) async throws {
        let layout = PixelLayout(
            size: PixelSize(37, 19), format: format, isOpaque: kind.isOpaque, isGray: kind.isGray)
        let pixels = try Image.pattern(layout).pixels.untold()
        #expect(try await form(pixels) == Form(Int(kind.colorType), format == .rgba8 ? 8 : 16))
    }

    @Test func `the last pixel is examined`() async throws {
        func pixels(_ last: [UInt8]) throws -> PixelBuffer {
            try PixelBuffer.drawn(61, 67) { x, y in
                x == 60 && y == 66 ? last : gray(UInt8((x * 5 + y * 3) % 200))
            }
        }
        #expect(try await form(pixels([1, 1, 1, 255])) == Form(0, 8))
        #expect(try await form(pixels([1, 1, 1, 254])) == Form(3, 8))
        #expect(try await form(pixels([1, 1, 2, 255])) == Form(3, 8))
    }

    @Test func `16 bits stay 16, even if 8 are enough`() async throws {
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(40, 40), format: .rgba16))
        for y in 0..<40 {
            builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                for x in 0..<40 {
                    for channel in 0..<4 {
                        let value = UInt16(channel == 3 ? 65535 : x % 2 * 257)
                        row.storeBytes(of: value, toByteOffset: 8 * x + 2 * channel, as: UInt16.self)
                    }
                }
            }
        }
        #expect(try await form(builder.finish()) == Form(0, 16))
    }

    @Test func `without pngReducesColors only the layout is used`() async throws {
        let off: ImageContext = [.pngReducesColors(false)]
        func pixels(isOpaque: Bool, isGray: Bool) throws -> PixelBuffer {
            try PixelBuffer.drawn(40, 40, isOpaque: isOpaque, isGray: isGray) { _, _ in [0, 0, 0, 255] }
        }
        #expect(try await form(pixels(isOpaque: false, isGray: false), off) == Form(6, 8))
        #expect(try await form(pixels(isOpaque: true, isGray: false), off) == Form(2, 8))
        #expect(try await form(pixels(isOpaque: false, isGray: true), off) == Form(4, 8))
        #expect(try await form(pixels(isOpaque: true, isGray: true), off) == Form(0, 8))
        #expect(try await form(pixels(isOpaque: false, isGray: false)) == Form(0, 1))
    }
}
#endif
