#if COLOR
import CalotypeStandard

/// Conversions of decoded rows from Display P3 to sRGB, compared with Little CMS called from C. Both sides convert the
/// same memory row by row, again and again, so that the colors soon lie within sRGB.
enum ColorConverting {
    private static let size = PixelSize(4000, 3000)

    static var benchmarks: [Benchmark] {
        [
            Benchmark(id: "color/p3-12mp", title: "P3 to sRGB, 12 MP of 8 bits / Little CMS") { try prepare(.rgba8) },
            Benchmark(id: "color/p3-12mp-16", title: "P3 to sRGB, 12 MP of 16 bits / Little CMS") {
                try prepare(.rgba16)
            },
        ]
    }

    private static func prepare(_ format: PixelFormat) throws -> Contest {
        let profile = try BareColor.profile()
        let conversion = ColorConversion(source: .icc(profile), target: .sRGB, format: format)
        guard let converter = try LittleCMSColorConverter().rowConverter(for: conversion) else {
            throw BenchmarkError("there is no converter for the profile")
        }
        let bare = try BareColor(profile, format)
        let drawn = try DrawnPicture.pixels(size: size, isOpaque: true).tightBytes
        // 16 bits get the noise of 8 bits twice.
        let pixels = format == .rgba8 ? drawn : Data(drawn.flatMap { [$0, $0] })
        try check(pixels, converter, bare, format)
        var (ours, theirs) = (pixels, pixels)
        return .comparison(
            subject: Contender { repeats in
                for _ in 0..<repeats { convert(&ours, by: converter, format) }
            },
            peer: Contender { repeats in
                for _ in 0..<repeats {
                    theirs.withUnsafeMutableBytes { (bytes: UnsafeMutableRawBufferPointer) in
                        for row in rows(of: bytes, format) { bare.convert(row, format) }
                    }
                }
            })
    }

    private static func rows(
        of pixels: UnsafeMutableRawBufferPointer, _ format: PixelFormat
    ) -> [UnsafeMutableRawBufferPointer] {
        let byteCount = size.width * format.bytesPerPixel
        return (0..<size.height).map { y in
            UnsafeMutableRawBufferPointer(rebasing: pixels[y * byteCount..<(y + 1) * byteCount])
        }
    }

    private static func convert(_ pixels: inout Data, by converter: any RowConverter, _ format: PixelFormat) {
        pixels.withUnsafeMutableBytes { (bytes: UnsafeMutableRawBufferPointer) in
            for row in rows(of: bytes, format) {
                var span = MutableRawSpan(_unsafeBytes: row)
                converter.convert(&span)
            }
        }
    }

    /// Checks that both sides differ by at most one level of 8 bits, or by two of 16 bits.
    private static func check(
        _ pixels: Data, _ converter: any RowConverter, _ bare: BareColor, _ format: PixelFormat
    ) throws {
        var (ours, theirs) = (pixels, pixels)
        convert(&ours, by: converter, format)
        theirs.withUnsafeMutableBytes { (bytes: UnsafeMutableRawBufferPointer) in bare.convert(bytes, format) }
        guard ours != pixels else { throw BenchmarkError("the colors are unchanged") }
        let isSame = ours.withUnsafeBytes { (ours: UnsafeRawBufferPointer) in
            theirs.withUnsafeBytes { (theirs: UnsafeRawBufferPointer) in
                if format == .rgba8 { return zip(ours, theirs).allSatisfy { abs(Int($0) - Int($1)) <= 1 } }
                let (ours, theirs) = (ours.bindMemory(to: UInt16.self), theirs.bindMemory(to: UInt16.self))
                return zip(ours, theirs).allSatisfy { abs(Int($0) - Int($1)) <= 2 }
            }
        }
        guard isSame else { throw BenchmarkError("Little CMS made other colors") }
    }
}
#endif
