#if GIF
import Calotype
import CalotypeGIF
import CalotypeTesting
import CoderKit
import Foundation
import Testing

/// Truncated files.
@Suite(.timeLimit(.minutes(5)))
struct GIFPartialTests {
    private let manager = ImageManager(plugins: [.gif], context: [.off(.imageCache)])

    @Test(arguments: try GIFCut.all())
    func `a file that is cut off is an error, or a partial picture if allowed`(_ cut: GIFCut) async throws {
        let data = try cut.gif()
        let error = await #expect(throws: ImageError.self) { try await manager.decode(data) }
        #expect(error?.code == .badData)
        #expect(error?.message.hasPrefix("is truncated") == true)
        guard let pixels = cut.pixels else {
            let error = await #expect(throws: ImageError.self) {
                try await manager.decode(data, context: [.allowPartial])
            }
            #expect(error?.code == .badData)
            return
        }
        let image = try await manager.decode(data, context: [.allowPartial])
        #expect(image.attributes.isPartial)
        let expected = try [UInt8](GIFFixture.directory.data(pixels + ".rgba"))
        let byteCount = cut.width * cut.height * 4
        let frameCount = image.frames?.frameCount ?? 1
        #expect(frameCount == max(cut.wholeFrameCount, 1))
        for index in 0..<frameCount {
            let samples = try (image.frames?.frame(index, job: Job()) ?? image.pixels).samples
            let frame = Array(expected[index * byteCount..<(index + 1) * byteCount])
            guard cut.wholeFrameCount == 0, cut.name.contains("interlaced") else {
                #expect(SampleDifference(samples, frame) == .zero, "frame \(index)")
                continue
            }
            // Missing rows look like those above them until they arrive.
            let isSame = (0..<cut.height).allSatisfy { y in
                let row = y * cut.width * 4..<(y + 1) * cut.width * 4
                return samples[row] == frame[row] || frame[row].allSatisfy { $0 == 0 }
            }
            #expect(isSame)
        }
    }

    @Test func `an arriving animation is shown with the frames received so far`() async throws {
        let fixture = try #require(try GIFFixture.all().first { $0.name == "animation-12" })
        let data = try fixture.gif()
        let (gate, rest) = (Gate(isOpen: true), Gate())
        let loader = FakeImageLoader(
            answer: .pieces([
                (gate: gate, data: Data(data.prefix(data.count * 3 / 4))),
                (gate: rest, data: Data(data.dropFirst(data.count * 3 / 4))),
            ]))
        let manager = ImageManager(plugins: [.gif], context: [.off(.imageCache)])
        manager.registry.loaders.add(loader)
        let task = manager.load(
            ImageRequest(
                try #require(URL(string: "fake://host/a.gif")), context: [.progressiveLoad, .previewInterval(.zero)]))
        var counts: [Int] = []
        for try await event in task {
            if case .finished(let response) = event {
                #expect(response.image.frames?.frameCount == 12)
                #expect(!response.image.attributes.isPartial)
                let expected = try fixture.samples()
                let last = try #require(try response.image.frames?.frame(11, job: Job()))
                #expect(SampleDifference(last.samples, expected[11]) == .zero)
            }
            guard case .preview(let image, _) = event else { continue }
            #expect(image.attributes.isPartial)
            counts.append(image.frames?.frameCount ?? 1)
            let expected = try fixture.samples()
            let last = try #require(try image.frames?.frame(counts[0] - 1, job: Job()))
            #expect(SampleDifference(last.samples, expected[counts[0] - 1]) == .zero)
            rest.open()
        }
        #expect(counts.first.map { (2..<12).contains($0) } == true)
    }
}
#endif
