#if PNG && DEFLATE
import CDeflate
import Calotype
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypePNG

/// Pictures that are compressed as a whole. libpng reads them, and they are compared with the files that libpng writes.
@Suite(.timeLimit(.minutes(5)))
struct PNGFilteredRowsTests {
    /// The kinds of pictures, which are filtered and compressed in different ways.
    enum Content: CaseIterable, Sendable {
        /// Random bytes, around a gradient.
        case noise
        /// Rows of few patterns, at distances that only a search of all repetitions finds.
        case text
        /// One color.
        case flat
    }

    /// Returns a picture whose values are below 256, repeated in both bytes for 16 bits.
    private func picture(
        _ content: Content, _ width: Int, _ height: Int, _ format: PixelFormat = .rgba8, isOpaque: Bool = true,
        isGray: Bool = false
    ) throws -> Image {
        var random = SplitMix64(seed: UInt64(width))
        let glyphs = (0..<20 * 7).map { _ in UInt8(truncatingIfNeeded: random.next()) & 0xF0 }
        let layout = PixelLayout(
            size: PixelSize(width: width, height: height), format: format, isOpaque: isOpaque, isGray: isGray)
        var builder = try PixelBufferBuilder(layout: layout)
        for y in 0..<height {
            builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                for x in 0..<width {
                    var pixel = [UInt8](repeating: 0, count: 4)
                    for channel in 0..<4 {
                        pixel[channel] =
                            switch content {
                            // Small differences are more frequent than large ones, as in photographs.
                            case .noise:
                                UInt8(90 + (x + y) / 8 % 128)
                                    + (0..<3).reduce(0) { sum, _ in sum + UInt8(random.next() % 8) }
                            case .text: glyphs[(x / 5 * 3 + y / 9 * 11) % 20 * 7 + (x + channel) % 7]
                            case .flat: 200
                            }
                    }
                    if isGray { (pixel[1], pixel[2]) = (pixel[0], pixel[0]) }
                    if isOpaque { pixel[3] = 255 }
                    for channel in 0..<4 {
                        let index = 4 * x + channel
                        switch format {
                        case .rgba8: row.storeBytes(of: pixel[channel], toByteOffset: index, as: UInt8.self)
                        case .rgba16:
                            row.storeBytes(of: UInt16(pixel[channel]) * 257, toByteOffset: 2 * index, as: UInt16.self)
                        case .rgbaFloat:
                            row.storeBytes(
                                of: Float(pixel[channel]) / 255, toByteOffset: 4 * index, as: Float.self)
                        }
                    }
                }
            }
        }
        return Image(pixels: builder.finish())
    }

    /// Returns random pixels; `width` is even.
    private func noise(_ width: Int, _ height: Int, seed: UInt64) throws -> PixelBuffer {
        var random = SplitMix64(seed: seed)
        var builder = try PixelBufferBuilder(
            layout: PixelLayout(size: PixelSize(width: width, height: height), isOpaque: false))
        for y in 0..<height {
            builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                for x in 0..<width / 2 { row.storeBytes(of: random.next(), toByteOffset: 8 * x, as: UInt64.self) }
            }
        }
        return builder.finish()
    }

    /// Returns a file of a picture.
    /// - Parameter maxByteCountAtOnce: The encoder's limit; 0 for a file that libpng compresses.
    private func file(
        _ image: Image, level: Int = 6, favorsSpeed: Bool = false,
        maxByteCountAtOnce: Int = PNGFilteredRows.maxByteCount
    ) throws -> Data {
        var encoder = PNGEncoder()
        encoder.maxByteCountAtOnce = maxByteCountAtOnce
        var options = EncodeOptions(ResolvedContext([.pngCompressionLevel(level)]))
        options.favorsSpeed = favorsSpeed
        return try encoder.encode(image, options: options, job: Job())
    }

    /// Returns the pixels of a file's frames, decoded by libpng.
    private func frames(of file: Data) throws -> [PixelBuffer] {
        let coder = PNGCoder(inflatesAtOnce: false)
        let options = DecodeOptions(ResolvedContext([.nativeDepth]))
        let decoder = try #require(try coder.decoder(for: ImageBytes(file), options: options))
        return try (0..<decoder.info.frameCount).map { frame in
            let (pixels, _, failure) = decoder.collectedPart(frame)
            #expect(failure == nil)
            return try #require(pixels)
        }
    }

    private func chunks(_ type: String, of file: Data) -> [PNGChunk] {
        PNGChunk.all(of: file).filter { $0.type == type }
    }

    @Test(arguments: Content.allCases, PixelFormat.allCases)
    func `libpng reads what is written, in all forms and sizes`(_ content: Content, _ format: PixelFormat) throws {
        // The larger sizes are sampled.
        for (width, height) in [(1, 1), (3, 70), (70, 3), (180, 130), (30_000, 4)] {
            for kind in PNGEncoderTests.kinds {
                let image = try picture(
                    content, width, height, format, isOpaque: kind.isOpaque, isGray: kind.isGray)
                let written = try file(image)
                #expect(chunks("IDAT", of: written).count == 1)
                let read = try frames(of: written)
                #expect(read.map(\.samples) == [image.pixels.samples], "\(width)x\(height), \(kind)")
            }
        }
    }

    @Test(arguments: 0...9)
    func `libpng reads what is written at all levels`(level: Int) throws {
        for content in Content.allCases {
            let image = try picture(content, 180, 130)
            let written = try file(image, level: level)
            #expect(try frames(of: written).map(\.samples) == [image.pixels.samples])
            // libpng compresses noise to several chunks.
            #expect(chunks("IDAT", of: written).count == 1)
        }
    }

    @Test(arguments: [0, PNGFilteredRows.maxByteCount], PixelFormat.allCases)
    func `a file that favors speed has one filter and the lowest level`(
        maxByteCountAtOnce: Int, _ format: PixelFormat
    ) throws {
        let image = try picture(.noise, 180, 130, format, isOpaque: false)
        let written = try file(image, favorsSpeed: true, maxByteCountAtOnce: maxByteCountAtOnce)
        #expect(try frames(of: written).map(\.samples) == [image.pixels.samples])
        let rowByteCount = 1 + 180 * (format == .rgba8 ? 4 : 8)
        let stream = chunks("IDAT", of: written).map(\.body).reduce(Data(), +)
        let rows = try inflated(stream, byteCount: 130 * rowByteCount)
        // The number of the filter of each row. Source: W3C PNG, third edition, section 9.2.
        #expect(stride(from: 0, to: rows.count, by: rowByteCount).allSatisfy { rows[$0] == 2 })
        // The level that the header of the stream states; 0 for the fastest. Source: RFC 1950, section 2.2.
        #expect(stream[1] >> 6 == 0)
    }

    @Test func `codes are not filtered in a file that favors speed`() throws {
        let image = try picture(.flat, 180, 130)
        let written = try file(image, favorsSpeed: true)
        #expect(try frames(of: written).map(\.samples) == [image.pixels.samples])
        let header = try #require(chunks("IHDR", of: written).first).body
        #expect(header[9] == 3, "a palette")
        let rowByteCount = 1 + (180 * Int(header[8]) + 7) / 8
        let rows = try inflated(try #require(chunks("IDAT", of: written).first).body, byteCount: 130 * rowByteCount)
        #expect(stride(from: 0, to: rows.count, by: rowByteCount).allSatisfy { rows[$0] == 0 })
    }

    private func inflated(_ stream: Data, byteCount: Int) throws -> [UInt8] {
        let decompressor = try #require(libdeflate_alloc_decompressor())
        defer { libdeflate_free_decompressor(decompressor) }
        var bytes = [UInt8](repeating: 0, count: byteCount)
        let result = stream.withUnsafeBytes {
            libdeflate_zlib_decompress(decompressor, $0.baseAddress, $0.count, &bytes, byteCount, nil)
        }
        #expect(result == LIBDEFLATE_SUCCESS)
        return bytes
    }

    @Test func `long streams become several chunks, also those of frames`() throws {
        let pictures = try [5, 6].map { try noise(620, 500, seed: $0) }
        let list = pictures.map { (pixels: $0, duration: Duration.milliseconds(100)) }
        let written = try file(Image(pixels: pictures[0], frames: FrameList(list, loopCount: 0)))
        #expect(chunks("IDAT", of: written).count > 1)
        #expect(chunks("fdAT", of: written).count > 1)
        // The number of a frame's chunk is in addition to the pixels.
        #expect(PNGChunk.all(of: written).allSatisfy { $0.body.count <= 1 << 20 + 4 })
        #expect(try frames(of: written).map(\.samples) == pictures.map(\.samples))
    }

    @Test func `rows beyond the limit are left to libpng, which compresses them alike at levels 8 and 9`() throws {
        let image = try picture(.noise, 180, 130)
        let byteCount = 130 * (1 + 3 * 180)
        #expect(chunks("IDAT", of: try file(image, maxByteCountAtOnce: byteCount)).count == 1)
        #expect(chunks("IDAT", of: try file(image, maxByteCountAtOnce: byteCount - 1)).count > 1)
        // At these levels, libdeflate would take long, and could not be cancelled.
        let large = Image(pixels: try noise(1600, 1400, seed: 7))
        #expect(try file(large, level: 9) == file(large, level: 9, maxByteCountAtOnce: 0))
        #expect(try file(large, level: 7) != file(large, level: 7, maxByteCountAtOnce: 0))
    }

    @Test(arguments: [2, 4, 16, 200])
    func `libpng reads palettes and gray levels of all depths`(colorCount: Int) throws {
        for isGray in [true, false] {
            var builder = try PixelBufferBuilder(
                layout: PixelLayout(size: PixelSize(width: 301, height: 203), isOpaque: true, isGray: isGray))
            for y in 0..<203 {
                builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                    for x in 0..<301 {
                        let level = UInt8((x / 3 + y * y) % colorCount * 255 / (colorCount - 1))
                        let color = [level, isGray ? level : 255 - level, level, 255]
                        for channel in 0..<4 {
                            row.storeBytes(of: color[channel], toByteOffset: 4 * x + channel, as: UInt8.self)
                        }
                    }
                }
            }
            let image = Image(pixels: builder.finish())
            let written = try file(image)
            #expect(try frames(of: written).map(\.samples) == [image.pixels.samples])
            // The form is that of libpng's file, but the compressed bytes are not.
            let other = try file(image, maxByteCountAtOnce: 0)
            #expect(chunks("IDAT", of: written).map(\.body) != chunks("IDAT", of: other).map(\.body))
            #expect(chunks("IHDR", of: written).map(\.body) == chunks("IHDR", of: other).map(\.body))
        }
    }

    @Test(arguments: Content.allCases)
    func `files have at most a fortieth more bytes than those of libpng`(_ content: Content) throws {
        let image = try picture(content, 640, 400)
        let (own, other) = try (file(image).count, file(image, maxByteCountAtOnce: 0).count)
        #expect(40 * own <= 41 * other, "\(own) instead of \(other) bytes")
    }

    @Test func `a row of more than a MiB is left to libpng, but not the small changes of other frames`() async throws {
        func wide(_ changed: Int?) throws -> PixelBuffer {
            try PixelBuffer.drawn(400_000, 2, isOpaque: true) { x, y in
                [UInt8(truncatingIfNeeded: (x + y) * 2_654_435_761 >> 13), 0, x == changed ? 9 : 0, 255]
            }
        }
        let frames = try [wide(nil), wide(100), wide(nil)]
        let image = Image(
            pixels: frames[0],
            frames: FrameList(frames.map { (pixels: $0, duration: .milliseconds(100)) }, loopCount: 0))
        let written = try file(image)
        // libpng splits the first frame into several chunks.
        #expect(chunks("IDAT", of: written).count > 1)
        #expect(chunks("fdAT", of: written).count == 2)
        let manager = ImageManager(plugins: [.png], context: [.off(.imageCache), .nativeDepth])
        let read = try #require(try await manager.decode(written, context: [.maxSidePixels(400_000)]).frames)
        for (index, frame) in frames.enumerated() {
            #expect(try read.frame(index, job: Job()).words == frame.words, "frame \(index)")
        }
    }
}
#endif
