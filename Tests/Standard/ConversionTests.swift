#if PNG && GIF && WEBP
import CalotypeStandard
import CalotypeTesting
import Foundation
import Testing

@testable import Calotype

/// Conversion of pictures and animations to another format.
@Suite(.timeLimit(.minutes(5)))
struct ConversionTests {
    /// A frame source that counts the frames that exist at the same time.
    private final class Counted: FrameSource {
        /// A weak reference to the memory of a frame.
        private final class Kept: Sendable {
            weak let pixels: PixelStorage?

            init(_ pixels: PixelStorage) { self.pixels = pixels }
        }

        private let frames: any FrameSource
        private let kept = Lock<(frames: [Kept], most: Int)>(([], 0))

        init(_ frames: any FrameSource) { self.frames = frames }

        var frameCount: Int { frames.frameCount }
        var loopCount: Int { frames.loopCount }
        var byteCount: Int { frames.byteCount }
        /// The largest number of frames that existed at the same time.
        var mostAtOnce: Int { kept.withLock { $0.most } }

        func duration(ofFrame index: Int) -> Duration { frames.duration(ofFrame: index) }

        func frame(_ index: Int, job: Job) throws -> PixelBuffer {
            let pixels = try frames.frame(index, job: job)
            kept.withLock { kept in
                // Frames share memory unless a caller retains them.
                kept.frames = kept.frames.filter { $0.pixels != nil && $0.pixels !== pixels.storage }
                kept.frames.append(Kept(pixels.storage))
                kept.most = max(kept.most, kept.frames.count)
            }
            return pixels
        }
    }

    /// An animation of a square that moves over a few colors, drawn on demand.
    private struct Walk: FrameSource {
        let frameCount: Int
        let loopCount = 4
        let byteCount = 0

        func duration(ofFrame index: Int) -> Duration { .milliseconds(50 + 10 * (index % 5)) }

        func frame(_ index: Int, job: Job) throws -> PixelBuffer {
            var builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(40, 24)))
            for y in 0..<24 {
                builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                    for x in 0..<40 {
                        let isInside = (index % 30..<index % 30 + 8).contains(x) && (6..<18).contains(y)
                        let ground = SIMD4<UInt8>(UInt8(x / 8 * 40), UInt8(y / 8 * 60), 90, 255)
                        let color = isInside ? SIMD4(250, UInt8(index % 7 * 30), 20, 255) : ground
                        row.storeBytes(of: color, toByteOffset: x * 4, as: SIMD4<UInt8>.self)
                    }
                }
            }
            return builder.finish(isOpaque: true)
        }
    }

    private let manager = ImageManager(plugins: [.standard], context: [.off(.imageCache)])

    private func bytes(_ pixels: PixelBuffer) -> [UInt8] {
        (0..<pixels.height).flatMap { y in pixels.withRow(y) { row in row.withUnsafeBytes { Array($0) } } }
    }

    private func image(of frames: any FrameSource) throws -> Image {
        Image(pixels: try frames.frame(0, job: Job()), frames: frames)
    }

    private func expect(_ image: Image, isLike walk: Walk, _ format: ImageFormat) throws {
        let frames = try #require(image.frames)
        #expect(frames.frameCount == walk.frameCount, "\(format.name)")
        #expect(frames.loopCount == walk.loopCount, "\(format.name)")
        for index in 0..<walk.frameCount {
            #expect(frames.duration(ofFrame: index) == walk.duration(ofFrame: index), "\(format.name) \(index)")
            let (one, other) = (try frames.frame(index, job: Job()), try walk.frame(index, job: Job()))
            #expect(bytes(one) == bytes(other), "\(format.name) \(index)")
        }
    }

    @Test(arguments: [[ImageFormat.gif, .webp, .png, .gif], [.png, .gif, .webp, .png], [.webp, .png, .gif, .webp]])
    func `an animation keeps frames, durations and loops between formats`(formats: [ImageFormat]) async throws {
        let walk = Walk(frameCount: 12)
        var image = try image(of: walk)
        var options = WebPOptions()
        options.lossless = true
        for format in formats {
            let file = try await manager.encode(image, as: format, context: [.webpOptions(options)])
            image = try await manager.decode(file)
            #expect(image.attributes.format == format)
            try expect(image, isLike: walk, format)
        }
    }

    @Test(arguments: [ImageFormat.gif, .webp, .png])
    func `only a few frames are in memory while an animation is written`(format: ImageFormat) async throws {
        let frames = Counted(Walk(frameCount: 60))
        let file = try await manager.encode(try image(of: frames), as: format)
        #expect(try await manager.info(of: file).frameCount == 60)
        // The image's own frame, the one that is written, and its neighbors.
        #expect(frames.mostAtOnce <= 4)
    }

    @Test(arguments: [ImageFormat.gif, .webp, .png], [ImageFormat.gif, .webp, .png])
    func `only a few frames are in memory while a file is converted`(
        from source: ImageFormat, to target: ImageFormat
    ) async throws {
        for count in [30, 120] {
            let file = try await manager.encode(try image(of: Walk(frameCount: count)), as: source)
            let decoded = try await manager.decode(file)
            let frames = Counted(try #require(decoded.frames))
            let converted = try await manager.encode(Image(pixels: decoded.pixels, frames: frames), as: target)
            #expect(try await manager.info(of: converted).frameCount == count)
            #expect(frames.mostAtOnce <= 4)
        }
    }

    @Test(arguments: [ImageFormat.gif, .webp, .png])
    func `the decode timeout covers all frames of a conversion`(format: ImageFormat) async throws {
        /// Frames each of which takes a second.
        struct Slow: FrameSource {
            let walk: Walk
            let time: ManualTime

            var frameCount: Int { walk.frameCount }
            var loopCount: Int { walk.loopCount }
            var byteCount: Int { 0 }

            func duration(ofFrame index: Int) -> Duration { walk.duration(ofFrame: index) }

            func frame(_ index: Int, job: Job) throws -> PixelBuffer {
                time.advance(by: .seconds(1))
                try job.check()
                return try walk.frame(index, job: job)
            }
        }

        let time = ManualTime()
        let manager = ImageManager(
            plugins: [.standard], context: [.off(.imageCache), .decodeTimeout(.seconds(10))], time: time)
        let walk = Walk(frameCount: 30)
        let film = Image(pixels: try walk.frame(0, job: Job()), frames: Slow(walk: walk, time: time))
        let error = await #expect(throws: ImageError.self) { try await manager.encode(film, as: format) }
        #expect(error?.code == .timedOut)
    }

    @Test func `an animation is stored with its loaded bytes, and empty data is an error`() async throws {
        let file = try await manager.encode(try image(of: Walk(frameCount: 5)), as: .gif)
        let data = InMemoryDataCache()
        let keeping = ImageManager(
            plugins: [.standard], context: [.imageCache(TieredCache(memory: nil, disk: data)), .storesDataURIs])
        let request = ImageRequest("data:image/gif;base64,\(file.base64EncodedString())")
        let image = try await keeping.image(for: request)
        #expect(image.frames?.frameCount == 5)
        // The encoded image may still be in the process of being stored; this query waits for it.
        #expect(try await keeping.contains(request) == .disk)
        #expect(try data.keys.map { try data.entry(for: $0)?.data } == [file])
        await #expect(throws: ImageError.self) { try await manager.decode(Data()) }
    }

    @Test(arguments: [ImageFormat.gif, .webp, .png])
    func `an animation with fewer frames has the same duration`(format: ImageFormat) async throws {
        let walk = Walk(frameCount: 30)
        let file = try await manager.encode(try image(of: walk), as: .gif)
        let reduced = try await manager.decode(file, context: [.frameRate(5)])
        let written = try await manager.decode(try await manager.encode(reduced, as: format))
        let frames = try #require(written.frames)
        // 2.1 seconds
        #expect((10...11).contains(frames.frameCount))
        let duration = (0..<frames.frameCount).reduce(.zero) { $0 + frames.duration(ofFrame: $1) }
        #expect(duration == (0..<30).reduce(.zero) { $0 + walk.duration(ofFrame: $1) })
    }

    #if JPEG && COLOR
    @Test(arguments: ["gray", "icc-reordered"])
    func `a JPEG converted to WebP keeps its colors`(name: String) async throws {
        let photo = try await manager.decode(Fixture.data("\(name).jpg", of: .jpeg))
        var options = WebPOptions()
        options.lossless = true
        let file = try await manager.encode(photo, as: .webp, context: [.webpOptions(options)])
        #expect(try await manager.decode(file).pixels.samples == photo.pixels.samples)
    }

    @Test func `a wide-gamut profile is written with the pixels`() async throws {
        let profile = ColorProfile.icc(try Fixture.data("p3.icc", of: .color))
        let samples = (0..<64 * 64).flatMap { (index: Int) -> [Int] in
            let (x, y) = (index % 64 * 4, index / 64 * 4)
            return [x, y, 255 - x, 255]
        }
        let wide = Image(
            pixels: try PixelBuffer.of(samples, PixelSize(64, 64)), attributes: Image.Attributes(profile: profile))
        var options = WebPOptions()
        options.lossless = true
        let file = try await manager.encode(wide, as: .webp, context: [.webpOptions(options)])
        let kept = try await manager.decode(file, context: [.keepsProfile])
        #expect(kept.attributes.profile == profile)
        #expect(kept.pixels.samples == samples)
        // The pure colors of the wide gamut are outside sRGB.
        #expect(try await manager.decode(file).pixels.samples != samples)
    }

    @Test func `a thumbnail of a WebP is in sRGB, in rows that are aligned`() async throws {
        let samples = (0..<512 * 340).flatMap { (index: Int) -> [Int] in [index % 256, index / 512 % 256, 90, 255] }
        let picture = Image(pixels: try PixelBuffer.of(samples, PixelSize(512, 340)))
        let file = try await manager.encode(picture, as: .webp)
        let thumbnail = try await manager.decode(file, context: [.thumbnailPixelSize(253, 168)])
        #expect(thumbnail.size == PixelSize(253, 168))
        #expect(thumbnail.pixels.bytesPerRow == 1024)
        #expect(thumbnail.attributes.profile == .sRGB)
    }
    #endif
}
#endif
