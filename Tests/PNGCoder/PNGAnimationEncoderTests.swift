#if PNG
import Calotype
import Foundation
import Testing

@testable import CalotypePNG

/// Animations are written according to the specification: checked by its rules, and by our decoder.
@Suite(.timeLimit(.minutes(5)))
struct PNGAnimationEncoderTests {
    private let manager = ImageManager(plugins: [.png], context: [.off(.imageCache)])

    private func animation(
        _ frames: [PixelBuffer], durations: [Duration]? = nil, loopCount: Int = 0
    ) throws -> Image {
        let durations = durations ?? Array(repeating: .milliseconds(100), count: frames.count)
        let list = FrameList(zip(frames, durations).map { (pixels: $0, duration: $1) }, loopCount: loopCount)
        return Image(pixels: try #require(frames.first), frames: list)
    }

    /// Writes an animation and compares all its frames with the results of the specification's rules and our decoder.
    private func write(_ image: Image, _ context: ImageContext = []) async throws -> WrittenPNG {
        try await check(
            manager.encode(image, as: .png, context: context.merging([.pngCompressionLevel(0)])), of: image)
    }

    /// Compares all frames of a file with those of its image. The file must not be compressed.
    private func check(_ file: Data, of image: Image) async throws -> WrittenPNG {
        let frames = try #require(image.frames)
        let written = try WrittenPNG(file)
        let expected = try (0..<frames.frameCount).map { try frames.frame($0, job: Job()).samples }
        #expect(try written.canvases() == expected)

        let read = try await manager.decode(file, context: [.nativeDepth])
        let readFrames = try #require(read.frames)
        #expect(readFrames.frameCount == frames.frameCount)
        #expect(readFrames.loopCount == frames.loopCount)
        for index in expected.indices {
            #expect(try readFrames.frame(index, job: Job()).samples == expected[index])
        }
        return written
    }

    /// Returns a picture of many colors with a 5x4 square in one color at a position.
    private func pixels(
        _ x: Int = 0, _ y: Int = 0, square: [UInt8] = [255, 0, 0, 255], isOpaque: Bool = true
    ) throws -> PixelBuffer {
        try PixelBuffer.drawn(40, 30, isOpaque: isOpaque) { column, row in
            guard !(x..<x + 5).contains(column) || !(y..<y + 4).contains(row) else { return square }
            return [UInt8(column * 6), UInt8(row * 8), UInt8((column + row) % 3), isOpaque ? 255 : UInt8(column + row)]
        }
    }

    // MARK: Chunks

    @Test func `chunks are in the specified order`() async throws {
        let image = try animation([pixels(0, 0), pixels(7, 2), pixels(8, 3)], loopCount: 3)
        let written = try await write(image)
        #expect(written.types == ["IHDR", "sRGB", "acTL", "fcTL", "IDAT", "fcTL", "fdAT", "fcTL", "fdAT", "IEND"])
        #expect(written.body(of: "acTL") == [0, 0, 0, 3, 0, 0, 0, 3])
        #expect(written.sequenceNumbers == [0, 1, 2, 3, 4])
        #expect(written.frames.allSatisfy { $0.disposal == 0 && $0.blend == 0 && $0.delay == [1, 10] })
    }

    @Test func `the chunks that libpng splits have consecutive sequence numbers`() async throws {
        let frames = try [0, 1, 2].map { shift in
            try PixelBuffer.drawn(100, 90, isOpaque: true) { x, y in [UInt8(x + shift), UInt8(y), UInt8(x ^ y), 255] }
        }
        let image = try animation(frames)
        #if DEFLATE
        var encoder = PNGEncoder()
        encoder.maxByteCountAtOnce = 0
        #else
        let encoder = PNGEncoder()
        #endif
        let options = EncodeOptions(ResolvedContext([.pngCompressionLevel(0)]))
        let written = try await check(encoder.encode(image, options: options, job: Job()), of: image)
        #expect(written.types.filter { $0 == "IDAT" }.count > 1)
        #expect(written.types.filter { $0 == "fdAT" }.count > 2)
        #expect(written.sequenceNumbers == Array(0..<written.sequenceNumbers.count))
    }

    @Test func `only the smallest changed rectangle of a frame is written`() async throws {
        let image = try animation([pixels(0, 0), pixels(7, 2), pixels(7, 3), pixels(35, 26)])
        let written = try await write(image)
        #expect(
            written.frames.map(\.region) == [
                PixelRegion(size: PixelSize(40, 30)), PixelRegion(size: PixelSize(12, 6)),
                PixelRegion(x: 7, y: 2, size: PixelSize(5, 5)), PixelRegion(x: 7, y: 3, size: PixelSize(33, 27)),
            ])
    }

    @Test func `a changed pixel is found at any position`() async throws {
        let places = [(0, 0), (39, 0), (0, 29), (39, 29), (20, 11)]
        let still = try pixels()
        let samples = still.samples.map { UInt8($0) }
        var frames = [still]
        for (x, y) in places {
            frames.append(
                try PixelBuffer.drawn(40, 30, isOpaque: true) { column, row in
                    guard column != x || row != y else { return [1, 2, 3, 255] }
                    return Array(samples[(row * 40 + column) * 4..<(row * 40 + column + 1) * 4])
                })
            frames.append(still)
        }
        let written = try await write(animation(frames))
        let expected = places.flatMap { x, y in
            Array(repeating: PixelRegion(x: x, y: y, size: PixelSize(1, 1)), count: 2)
        }
        #expect(written.frames.dropFirst().map(\.region) == expected)
    }

    @Test func `a frame that is equal to the one before stays a frame`() async throws {
        let durations: [Duration] = [.milliseconds(40), .milliseconds(1500), .seconds(70)]
        let image = try animation([pixels(), pixels(), pixels()], durations: durations)
        let written = try await write(image)
        #expect(written.frames.map(\.delay) == [[1, 25], [3, 2], [70, 1]])
        #expect(written.frames[1].region == PixelRegion(size: PixelSize(1, 1)))
        #expect(written.frames[2].region == PixelRegion(size: PixelSize(1, 1)))
    }

    @Test func `durations and loops are read again`() async throws {
        let durations: [Duration] = [.milliseconds(40), .nanoseconds(33_333_333), .seconds(70)]
        let image = try animation([pixels(), pixels(3, 3), pixels(5, 5)], durations: durations, loopCount: 7)
        let file = try await manager.encode(image, as: .png)
        let info = try await manager.info(of: file)
        #expect(info.durations == durations)
        #expect(info.loopCount == 7)
    }

    @Test func `a loop count beyond the format is clamped`() throws {
        let image = try animation([pixels(), pixels(3, 3)], loopCount: .max)
        let file = try PNGEncoder().encode(image, options: EncodeOptions(), job: Job())
        let control = PNGChunk.all(of: file).first { $0.type == "acTL" }
        #expect(control.map { [UInt8]($0.body) } == [0, 0, 0, 2, 0x7F, 0xFF, 0xFF, 0xFF])
    }

    @Test func `a still is not written as an animation`() async throws {
        let image = try animation([pixels(), pixels(3, 3)])
        let first = try await manager.encode(image, as: .png, context: [.encodeFirstFrameOnly])
        let still = try await manager.encode(Image(pixels: pixels()), as: .png)
        let single = try await manager.encode(animation([pixels()]), as: .png)
        #expect(first == still)
        #expect(single == still)
        #expect(!PNGChunk.all(of: still).contains { ["acTL", "fcTL", "fdAT"].contains($0.type) })
    }

    // MARK: The common color type

    @Test(arguments: PixelFormat.allCases, PNGEncoderTests.kinds)
    func `frames are written as the smallest kind that holds them all`(
        _ format: PixelFormat, _ kind: PNGEncoderTests.Kind
    ) async throws {
        // Only the first frame is gray and opaque.
        let size = PixelSize(40, 30)
        let first = PixelLayout(size: size, format: format, isOpaque: true, isGray: true)
        let other = PixelLayout(size: size, format: format, isOpaque: kind.isOpaque, isGray: kind.isGray)
        let told = try [Image.pattern(first).pixels, Image.pattern(other).pixels]
        let untold = try told.map { try $0.untold() }
        let contexts: [ImageContext] = [[], [.pngReducesColors(false)]]
        for (frames, context) in [(told, contexts[0]), (told, contexts[1]), (untold, contexts[0])] {
            let written = try await write(animation(frames), context)
            #expect(written.colorType == Int(kind.colorType))
            #expect(written.bitDepth == (format == .rgba8 ? 8 : 16))
        }
    }

    @Test func `frames share a palette`() async throws {
        func frame(_ colors: [[UInt8]]) throws -> PixelBuffer {
            try PixelBuffer.drawn(33, 21) { x, y in colors[(x + y) % colors.count] }
        }
        let first: [[UInt8]] = [[1, 2, 3, 255], [4, 5, 6, 255], [7, 8, 9, 128]]
        let second: [[UInt8]] = [[10, 11, 12, 0], [1, 2, 3, 255]]
        let written = try await write(animation([frame(first), frame(second), frame(first)]))
        #expect(written.colorType == 3)
        #expect(written.bitDepth == 2)
        #expect(written.body(of: "PLTE") == [7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6])
        #expect(written.body(of: "tRNS") == [128, 0])
        #expect(written.types.filter { $0 == "PLTE" || $0 == "tRNS" || $0 == "IHDR" }.count == 3)
    }

    @Test func `a black and white animation takes one bit for each pixel`() async throws {
        let frames = try (0..<4).map { index in
            try PixelBuffer.drawn(33, 21) { x, y in
                let level: UInt8 = (x + index) / 4 % 2 == y / 4 % 2 ? 0 : 255
                return [level, level, level, 255]
            }
        }
        let written = try await write(animation(frames))
        #expect(written.colorType == 0)
        #expect(written.bitDepth == 1)
    }

    // MARK: Failures

    /// A frame source with frames from a closure.
    private struct MadeFrames: FrameSource {
        let frameCount: Int
        let make: @Sendable (Int, Job) throws -> PixelBuffer

        var loopCount: Int { 0 }
        var byteCount: Int { 0 }
        func duration(ofFrame index: Int) -> Duration { .milliseconds(100) }
        func frame(_ index: Int, job: Job) throws -> PixelBuffer { try make(index, job) }
    }

    private func error(_ first: PixelBuffer, _ frames: MadeFrames, job: Job = Job()) throws -> ImageError {
        let error = #expect(throws: ImageError.self) {
            try PNGEncoder().encode(Image(pixels: first, frames: frames), options: EncodeOptions(), job: job)
        }
        return try #require(error)
    }

    @Test func `the error names a frame of another size or format`() throws {
        let first = try pixels()
        let others = try [
            PixelBuffer.drawn(40, 31) { _, _ in [0, 0, 0, 0] },
            Image.pattern(PixelLayout(size: first.size, format: .rgba16)).pixels,
        ]
        for (other, text) in zip(others, ["40x31 in rgba8", "40x30 in rgba16"]) {
            let error = try error(first, MadeFrames(frameCount: 4) { index, _ in index == 2 ? other : first })
            #expect(error.code == .encodeFailed)
            #expect(error.message == "frame 2 is \(text), but frame 0 is 40x30 in rgba8")
            #expect(error.advice != nil)
        }
    }

    @Test func `a frame that cannot be made is an error`() throws {
        let first = try pixels()
        let error = try error(
            first,
            MadeFrames(frameCount: 3) { index, _ in
                guard index < 2 else { throw ImageError(.badData, stage: .decode, message: "is damaged") }
                return first
            })
        #expect(error.code == .badData)
    }

    @Test func `frames that change during the encode are an error, not a wrong picture`() throws {
        let isSecondTime = Lock(false)
        let frame = try pixels()
        let few = try PixelBuffer.drawn(40, 30) { _, _ in [1, 2, 3, 255] }
        let error = try error(
            few,
            MadeFrames(frameCount: 2) { _, _ in
                isSecondTime.withLock { isSecond in
                    defer { isSecond = true }
                    return isSecond ? frame : few
                }
            })
        #expect(error.code == .encodeFailed)
    }

    /// Opaque frames are fetched first to check that all are opaque, others while they are written.
    @Test(arguments: [true, false])
    func `cancelling ends the encode between frames`(_ isOpaque: Bool) throws {
        let job = Job()
        let asked = Lock<[Int]>([])
        let first = try pixels(isOpaque: isOpaque)
        let frames = MadeFrames(frameCount: 100) { index, job in
            asked.withLock { $0.append(index) }
            if index == 3 { job.cancel() }
            return first
        }
        let error = try error(first, frames, job: job)
        #expect(error.code == .cancelled)
        #expect(asked.withLock { $0 } == [1, 2, 3])
    }

    @Test func `each frame is requested once if the first determines the color type`() throws {
        let asked = Lock<[Int]>([])
        let first = try pixels(isOpaque: false)
        let image = Image(
            pixels: first,
            frames: MadeFrames(frameCount: 4) { index, _ in
                asked.withLock { $0.append(index) }
                return first
            })
        _ = try PNGEncoder().encode(image, options: EncodeOptions(), job: Job())
        #expect(asked.withLock { $0 } == [1, 2, 3])
    }
}
#endif
