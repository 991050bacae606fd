#if HTTP && PNG
import CalotypeStandard
import CalotypeTesting
import Foundation
import Testing

/// An animated PNG that is loaded over HTTP.
@Suite(.timeLimit(.minutes(5)))
struct AnimatedLoadTests {
    /// Returns frames of a growing disc.
    private func frames() throws -> [PixelBuffer] {
        try (1...5).map { radius in
            var builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(48, 40)))
            for y in 0..<40 {
                builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                    for x in 0..<48 {
                        let isInside = (x - 24) * (x - 24) + (y - 20) * (y - 20) < 12 * radius * radius
                        let color = isInside ? SIMD4<UInt8>(200, UInt8(x), UInt8(y), 255) : SIMD4()
                        row.storeBytes(of: color, toByteOffset: x * 4, as: SIMD4<UInt8>.self)
                    }
                }
            }
            return builder.finish()
        }
    }

    private func bytes(_ pixels: PixelBuffer) -> [UInt8] {
        (0..<pixels.height).flatMap { y in pixels.withRow(y) { row in row.withUnsafeBytes { Array($0) } } }
    }

    @Test func `an arriving animation is shown early as a still, and is complete in the end`() async throws {
        let server = try ScriptedServer()
        let manager = ImageManager(
            plugins: [.standard], context: [.off(.imageCache), .previewInterval(.zero), .lowSpeedTime(.seconds(300))])
        let drawn = try frames()
        let list = FrameList(drawn.map { (pixels: $0, duration: .milliseconds(40)) }, loopCount: 3)
        let file = try await manager.encode(Image(pixels: drawn[0], frames: list), as: .png)
        let gate = BlockingGate()
        // The first frame is complete, and a later one has begun.
        let second = try #require(file.range(of: Data("fdAT".utf8))).lowerBound
        server.answer(
            "/disc.png", with: .bytes(file, contentType: "image/png").stalled(after: second + 8, at: gate))
        var previews: [Image] = []
        var last: Image?
        let task = manager.load(ImageRequest(server.url("/disc.png"), context: [.progressiveLoad]))
        for try await event in task {
            switch event {
            case .preview(let image, .partial):
                previews.append(image)
                gate.open()
            case .finished(let response): last = response.image
            default: break
            }
        }
        let preview = try #require(previews.last)
        #expect(!preview.isAnimated)
        #expect(bytes(preview.pixels) == bytes(drawn[0]))
        let image = try #require(last)
        let source = try #require(image.frames)
        #expect(source.frameCount == 5)
        #expect(source.loopCount == 3)
        for index in 0..<5 {
            #expect(bytes(try source.frame(index, job: Job())) == bytes(drawn[index]))
            #expect(source.duration(ofFrame: index) == .milliseconds(40))
        }
    }
}
#endif
