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

    // MARK: What the file says

    @Test(arguments: try WebPFixture.all())
    func `info says what the file says`(_ fixture: WebPFixture) async throws {
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
        #expect(info.frames == fixture.frameInfos)
        #expect(info.loopCount == fixture.loopCount ?? 1)
        // What nobody wants is not read.
        #expect(try await manager.info(of: fixture.webp()).metadata.isEmpty)
    }

    // MARK: Pixels

    @Test(arguments: try WebPFixture.stills())
    func `a still has the pixels that libwebp's own tool makes`(_ fixture: WebPFixture) async throws {
        let image = try await manager.decode(fixture.webp(), context: [.keepsOrientation])
        #expect(!image.isAnimated)
        let expected = try #require(try fixture.samples().first)
        #expect(SampleDifference(image.pixels.samples, expected) == .zero)
        #expect(image.pixels.isOpaque == !fixture.hasAlpha)
    }

    @Test(arguments: try WebPFixture.animations())
    func `frames are shown as browsers show them`(_ fixture: WebPFixture) async throws {
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

    /// Returns the largest difference of two pictures, of each color as much as can be seen of it: of what is
    /// transparent, nothing.
    private static func difference(_ pixels: PixelBuffer, _ expected: [UInt8]) -> Int {
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

    @Test(arguments: try WebPFixture.stills().filter { $0.orientation > 1 })
    func `a picture is turned upright`(_ fixture: WebPFixture) async throws {
        let image = try await manager.decode(fixture.webp())
        let expected = try [UInt8](WebPFixture.data("\(fixture.name)-upright.rgba"))
        let orientation = try #require(Orientation(rawValue: fixture.orientation))
        #expect(image.size == orientation.displaySize(of: fixture.size))
        #expect(SampleDifference(image.pixels.samples, expected) == .zero)
    }
}
#endif
