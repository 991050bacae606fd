#if WEBP
import Calotype
import CalotypeTesting
import CalotypeWebP
import CoderKit
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct WebPDecoderTests {
    private let manager = ImageManager(plugins: [.webp], context: [.off(.imageCache)])

    // MARK: Info

    @Test(arguments: try WebPFixture.all())
    func `info equals the file`(_ fixture: WebPFixture) async throws {
        let info = try await manager.info(of: fixture.webp(), context: [.keepsMetadata])
        #expect(info.format == .webp)
        #expect(info.pixelSize == fixture.size)
        #expect(info.hasAlpha == fixture.hasAlpha)
        #expect(info.bitDepth == 8)
        #expect(info.colorModel == (fixture.isLossy ? .yCbCr : .rgb))
        #expect(info.orientation.rawValue == fixture.orientation)
        #expect(info.hasEmbeddedProfile == fixture.hasICCProfile)
        #expect((info.metadata.exif != nil) == fixture.hasEXIF)
        let hasPrefix = info.metadata.exif?.starts(with: Data("Exif\0\0".utf8))
        #expect(hasPrefix != true)
        #expect((info.metadata.xmp != nil) == fixture.hasXMP)
        // Frames without alpha are not blended, regardless of the file's setting.
        let blends = zip(info.frames, fixture.frameInfos)
        let frames = blends.map { made, told in
            var made = made
            if told.blend == .over { made.blend = .over }
            return made
        }
        #expect(frames == fixture.frameInfos)
        #expect(info.loopCount == fixture.loopCount ?? 1)
        // Metadata is read only on request.
        #expect(try await manager.info(of: fixture.webp()).metadata.isEmpty)
    }

    // MARK: Pixels

    @Test(arguments: try WebPFixture.stills())
    func `the pixels of a still equal those of libwebp's own tool`(_ fixture: WebPFixture) async throws {
        let image = try await manager.decode(fixture.webp(), context: [.keepsOrientation])
        #expect(!image.isAnimated)
        let expected = try #require(try fixture.samples().first)
        #expect(SampleDifference(image.pixels.samples, expected) == .zero)
        #expect(image.pixels.isOpaque == !fixture.hasAlpha)
    }

    @Test func `a frame is drawn from the nearest independent one`() async throws {
        let fixture = try WebPFixture.named("animated-independent")
        let info = try await manager.info(of: fixture.webp())
        let whole = try #require(
            info.frames.indices.first {
                $0 > 0 && info.frames[$0].region.size == info.pixelSize && info.frames[$0].blend == .source
            })
        // The data of all earlier frames is invalid, except for their headers.
        var parts = WebPChunk.all(of: try fixture.webp())
        for index in parts.indices.filter({ parts[$0].name == "ANMF" }).prefix(whole) {
            let header = 16 + 8 + 5
            parts[index].body = parts[index].body.prefix(header) + Data(count: parts[index].body.count - header)
        }
        let file = WebPChunk.file(parts)
        await #expect(throws: ImageError.self) { try await manager.decode(file, context: [.frame(whole - 1)]) }
        for index in [whole, whole + 1] {
            let frame = try await manager.decode(file, context: [.frame(index), .keepsOrientation])
            #expect(Self.difference(frame.pixels, try fixture.samples()[index]) <= 1)
        }
    }

    @Test func `an opaque frame is not blended with earlier ones`() async throws {
        let file = try WebPFixture.named("animated-loop-0").webp()
        let info = try await manager.info(of: file)
        #expect(info.frames.map(\.blend) == [.source, .over])
    }

    @Test(arguments: try WebPFixture.animations())
    func `frames are composed like in browsers`(_ fixture: WebPFixture) async throws {
        let expected = try fixture.samples()
        let image = try await manager.decode(fixture.webp(), context: [.keepsOrientation])
        #expect(image.isAnimated == (expected.count > 1))
        #expect(image.frames?.loopCount ?? fixture.loopCount == fixture.loopCount)
        for index in expected.indices.reversed() {
            let pixels = try image.frames?.frame(index, job: Job()) ?? image.pixels
            #expect(Self.difference(pixels, expected[index]) <= 1, "frame \(index)")
            let alone = try await manager.decode(fixture.webp(), context: [.keepsOrientation, .frame(index)])
            #expect(Self.difference(alone.pixels, expected[index]) <= 1, "frame \(index) alone")
        }
    }

    /// Returns the largest visible difference of two pictures. Each color is weighted by its alpha, so transparent
    /// pixels do not count.
    static func difference(_ pixels: PixelBuffer, _ expected: [UInt8]) -> Int {
        let samples = pixels.samples
        guard samples.count == expected.count else { return .max }
        var largest = 0
        for start in stride(from: 0, to: samples.count, by: 4) {
            let alphas = (Int(samples[start + 3]), Int(expected[start + 3]))
            largest = max(largest, abs(alphas.0 - alphas.1))
            for index in start..<start + 3 {
                let seen = (Int(samples[index]) * alphas.0 + 127) / 255
                largest = max(largest, abs(seen - (Int(expected[index]) * alphas.1 + 127) / 255))
            }
        }
        return largest
    }

    @Test(arguments: try WebPFixture.stills().filter { min($0.size.width, $0.size.height) >= 8 })
    func `a thumbnail from luma and chroma equals that of all pixels`(_ fixture: WebPFixture) async throws {
        let size = PixelSize(fixture.size.width / 2, fixture.size.height / 3)
        let context: ImageContext = [
            .thumbnailPixelSize(size.width, size.height), .preservesAspectRatio(false), .keepsOrientation,
        ]
        let thumbnail = try await manager.decode(fixture.webp(), context: context)
        let exact = try await manager.decode(
            fixture.webp(), context: context.merging([.thumbnailQuality(.exact)]))
        #expect(thumbnail.size == size)
        let difference = SampleDifference(thumbnail.pixels.samples, exact.pixels.samples)
        // Pictures with alpha and lossless pictures are made from all pixels either way.
        guard fixture.isLossy, !fixture.hasAlpha else { return #expect(difference == .zero) }
        // Levels beyond black and white are clipped after resampling in luma and chroma, but before it in pixels.
        let whole = try await manager.decode(fixture.webp(), context: [.keepsOrientation])
        let isWithin = whole.pixels.samples.enumerated().allSatisfy { $0 % 4 == 3 || (1...254).contains($1) }
        guard isWithin else { return }
        #expect(difference.largest <= 2)
        #expect(difference.meanSquare < 0.5)
    }

    @Test(arguments: [(97, 81), (64, 64), (33, 90), (3, 200), (200, 2), (1, 50)])
    func `a thumbnail of soft colors from luma and chroma is close to that of all pixels`(_ sides: (Int, Int))
        async throws
    {
        let size = PixelSize(sides.0, sides.1)
        var samples: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                let wave = (x + y) % 40
                samples.append(UInt8(70 + 110 * x / size.width))
                samples.append(UInt8(60 + 100 * y / size.height))
                samples.append(UInt8(90 + 2 * wave))
                samples.append(255)
            }
        }
        let file = try await manager.encode(
            Image.of(samples, size), as: .webp, context: [.compressionQuality(0.9)])
        for target in [PixelSize(max(1, size.width / 2), max(1, size.height / 3)), PixelSize(1, 1)] {
            let context: ImageContext = [
                .thumbnailPixelSize(target.width, target.height), .preservesAspectRatio(false),
            ]
            let thumbnail = try await manager.decode(file, context: context)
            let exact = try await manager.decode(file, context: context.merging([.thumbnailQuality(.exact)]))
            #expect(thumbnail.size == target)
            let difference = SampleDifference(thumbnail.pixels.samples, exact.pixels.samples)
            // Both methods round several times.
            #expect(difference.largest <= 2)
            #expect(difference.meanSquare < 0.6)
        }
    }

    @Test func `a damaged lossy picture has no thumbnail`() async throws {
        let fixture = try #require(try WebPFixture.stills().first { $0.isLossy && !$0.hasAlpha && $0.size.area > 500 })
        let file = try fixture.webp()
        for count in [file.count / 2, file.count - 20] {
            let error = await #expect(throws: ImageError.self) {
                try await manager.decode(Data(file.prefix(count)), context: [.thumbnailPixelSize(4, 4)])
            }
            #expect(error?.code == .badData)
        }
    }

    @Test(arguments: try WebPFixture.stills().filter { $0.orientation > 1 })
    func `a picture is turned upright`(_ fixture: WebPFixture) async throws {
        let image = try await manager.decode(fixture.webp())
        let expected = try [UInt8](WebPFixture.directory.data("\(fixture.name)-upright.rgba"))
        let orientation = try #require(Orientation(rawValue: fixture.orientation))
        #expect(image.size == orientation.displaySize(of: fixture.size))
        #expect(SampleDifference(image.pixels.samples, expected) == .zero)
    }

    @Test(arguments: try ConformanceFile.all(in: .module))
    func `libwebp's own picture has the pixels that its tool makes`(_ file: ConformanceFile) async throws {
        let image = try await manager.decode(file.data(in: .module))
        #expect(image.size == file.size)
        #expect([image.pixels.digest] == file.digests)
    }
}
#endif
