#if COLOR
import CalotypeStandard

/// Conversions from Display P3 to sRGB, compared with Little CMS called from C. Rows are converted in the same memory,
/// again and again, so that the colors soon lie within sRGB.
enum ColorConverting {
    private static let size = PixelSize(4000, 3000)

    static var benchmarks: [Benchmark] {
        var benchmarks = [
            Benchmark(id: "color/p3-12mp", title: "P3 to sRGB, 12 MP of 8 bits / Little CMS") { try prepare(.rgba8) },
            Benchmark(id: "color/p3-12mp-16", title: "P3 to sRGB, 12 MP of 16 bits / Little CMS") {
                try prepare(.rgba16)
            },
        ]
        #if JPEG
        benchmarks += [
            Benchmark(id: "color/p3-jpeg-12mp", title: "P3 JPEG of 12 MP, beyond sRGB / Little CMS") {
                try await prepareJPEG()
            },
            Benchmark(id: "color/p3-jpeg-12mp-720", title: "P3 JPEG of 12 MP to 720 / sRGB") {
                try await prepareThumbnail()
            },
        ]
        #endif
        return benchmarks
    }

    #if JPEG
    private static func makeManager(_ context: ImageContext = []) -> ImageManager {
        ImageManager(plugins: [.standard], context: context.merging([.off(ContextKey.imageCache)]))
    }

    /// Returns a JPEG of the picture in sRGB, and one with the profile of Display P3.
    private static func files() async throws -> (plain: Data, wide: Data) {
        let manager = makeManager()
        let pixels = try DrawnPicture.pixels(size: size, isOpaque: true)
        let plain = try await manager.encode(Image(pixels: pixels), as: .jpeg)
        let attributes = Image.Attributes(profile: .icc(try BareColor.profile()))
        let wide = try await manager.encode(Image(pixels: pixels, attributes: attributes), as: .jpeg)
        guard try await manager.decode(plain).pixels.tightBytes != manager.decode(wide).pixels.tightBytes else {
            throw BenchmarkError("the profile has no effect")
        }
        return (plain, wide)
    }

    private static func contender(_ file: Data, _ manager: ImageManager) -> Contender {
        Contender { repeats in
            for _ in 0..<repeats {
                guard try await manager.decode(file).size.width > 0 else {
                    throw BenchmarkError("the picture is empty")
                }
            }
        }
    }

    /// Compares the time that a profile adds to decoding with the time of Little CMS alone.
    private static func prepareJPEG() async throws -> Contest {
        let (plain, wide) = try await files()
        let manager = makeManager()
        let (short, long) = (contender(plain, manager), contender(wide, manager))
        let bare = try BareColor(BareColor.profile(), .rgba8)
        var pixels = try DrawnPicture.pixels(size: size, isOpaque: true).tightBytes
        return .comparison(
            subject: Contender.keepingTime { repeats in
                var seconds = 0.0
                // In turns, so that changes in the speed of the machine affect both.
                for _ in 0..<repeats { seconds += try await long.run(1) - short.run(1) }
                // The calibration needs more than nothing.
                return max(seconds, 0.001 * Double(repeats))
            },
            peer: Contender { repeats in
                for _ in 0..<repeats { convert(&pixels, by: bare, .rgba8) }
            })
    }

    private static func prepareThumbnail() async throws -> Contest {
        let (plain, wide) = try await files()
        let manager = makeManager([.thumbnailPixelSize(720, 720)])
        return .comparison(subject: contender(wide, manager), peer: contender(plain, manager))
    }
    #endif

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
                for _ in 0..<repeats { convert(&theirs, by: bare, format) }
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

    private static func convert(_ pixels: inout Data, by bare: BareColor, _ format: PixelFormat) {
        pixels.withUnsafeMutableBytes { (bytes: UnsafeMutableRawBufferPointer) in
            for row in rows(of: bytes, format) { bare.convert(row, format) }
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
