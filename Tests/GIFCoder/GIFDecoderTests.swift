#if GIF
import Calotype
import CalotypeGIF
import CalotypeTesting
import CoderKit
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct GIFDecoderTests {
    private let manager = ImageManager(plugins: [.gif], context: [.off(.imageCache)])

    @Test(arguments: try GIFFixture.all())
    func `info equals the file`(_ fixture: GIFFixture) async throws {
        let info = try await manager.info(of: fixture.gif())
        #expect(info.format == .gif)
        #expect(info.pixelSize == fixture.size)
        // A frame outside the canvas counts as transparency.
        #expect(info.hasAlpha == fixture.hasAlpha || fixture.hasFrameOutside)
        #expect(info.colorModel == .palette)
        #expect(info.frameCount == fixture.frameCount)
        guard !info.frames.isEmpty else { return }
        #expect(info.loopCount == fixture.loopCount)
        // Durations below 11 milliseconds are replaced as in browsers.
        #expect(info.durations == fixture.durations.map { .milliseconds($0 < 11 ? 100 : $0) })
    }

    @Test(arguments: try GIFFixture.all())
    func `frames are composed like in browsers`(_ fixture: GIFFixture) async throws {
        let expected = try fixture.samples()
        let image = try await manager.decode(fixture.gif())
        #expect(image.isAnimated == (expected.count > 1))
        for index in expected.indices.reversed() {
            let pixels = try image.frames?.frame(index, job: Job()) ?? image.pixels
            #expect(SampleDifference(pixels.samples, expected[index]) == .zero, "frame \(index)")
            let alone = try await manager.decode(fixture.gif(), context: [.frame(index)])
            #expect(SampleDifference(alone.pixels.samples, expected[index]) == .zero, "frame \(index) alone")
        }
    }

    @Test(arguments: try GIFFixture.all())
    func `an incomplete frame does not affect the next one`(_ fixture: GIFFixture) throws {
        struct Break: Error {}
        let made = try GIFCoder().decoder(for: ImageBytes(fixture.gif()), options: DecodeOptions())
        let decoder = try #require(made)
        let count = try decoder.info.frameCount
        // Frames that are delivered as a whole, such as interlaced ones, call the probe for row 0 only.
        for row in 0...1 {
            var breaking = ProbeBehavior()
            breaking.onRow = { y in if y == row { throw Break() } }
            for frame in 0..<count {
                let next = (frame + 1) % count
                let expected = try decoder.probe(frame: next).picture().samples
                let broken = decoder.probe(frame: frame, breaking)
                #expect(broken.error is Break || row == 1 && (broken.isWhole || broken.layout?.size.height == 1))
                #expect(SampleDifference(try decoder.probe(frame: next).picture().samples, expected) == .zero)
            }
        }
    }

    @Test(arguments: try ConformanceFile.all(in: .module))
    func `giflib's own pictures are decoded like by Pillow`(_ file: ConformanceFile) async throws {
        let image = try await manager.decode(file.data(in: .module))
        #expect(image.size == file.size)
        let digests = try (0..<(image.frames?.frameCount ?? 1)).map { index in
            try (image.frames?.frame(index, job: Job()) ?? image.pixels).digest
        }
        #expect(digests == file.digests)
    }
}
#endif
