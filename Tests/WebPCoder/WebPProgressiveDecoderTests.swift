#if WEBP
import Calotype
import CalotypeTesting
import CalotypeWebP
import CoderKit
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct WebPProgressiveDecoderTests {
    @Test func `an animation that arrives is shown frame by frame`() async throws {
        let fixture = try WebPFixture.named("animated-twelve")
        let (data, expected) = (try fixture.webp(), try fixture.samples())
        let gates = (0..<4).map { Gate(isOpen: $0 == 0) }
        let pieceByteCount = (data.count + 3) / 4
        let pieces = gates.enumerated().map { index, gate in
            (gate: gate, data: Data(data.dropFirst(index * pieceByteCount).prefix(pieceByteCount)))
        }
        let manager = ImageManager(plugins: [.webp], context: [.off(.imageCache)])
        manager.registry.loaders.add(FakeImageLoader(answer: .pieces(pieces)))
        let url = try #require(URL(string: "fake://host/a.webp"))
        var counts: [Int] = []
        for try await event in manager.load(
            ImageRequest(url, context: [.progressiveLoad, .previewInterval(.zero)]))
        {
            switch event {
            case .preview(let image, _):
                #expect(image.attributes.isPartial)
                let count = image.frames?.frameCount ?? 1
                let last = try image.frames?.frame(count - 1, job: Job()) ?? image.pixels
                #expect(WebPDecoderTests.difference(last, expected[count - 1]) <= 1)
                counts.append(count)
                if counts.count < gates.count { gates[counts.count].open() }
            case .finished(let response): #expect(response.image.frames?.frameCount == 12)
            default: break
            }
        }
        #expect(counts.count >= 3 && counts == counts.sorted() && counts[0] < 12, "\(counts)")
        #expect(Set(counts).count >= 3, "\(counts)")
    }

    private func makeDecoder(_ context: ImageContext = []) throws -> any ProgressiveDecoder {
        let head = ImageBytes(Data("RIFF\0\0\0\0WEBP".utf8))
        return try #require(
            try WebPCoder().progressiveDecoder(for: head, options: DecodeOptions(ResolvedContext(context))))
    }

    /// Returns the picture so far; nil while nothing can be shown.
    private func shown(_ decoder: any ProgressiveDecoder) throws -> PixelBuffer? {
        do {
            var sink = CollectingSink()
            try decoder.decode(frame: 0, into: &sink, job: Job())
            return try sink.finish()
        } catch let error as ImageError where error.code == .incomplete {
            return nil
        }
    }

    /// A sink that stores rows unmodified.
    private struct CollectingSink: RowSink, ~Copyable {
        private var layout: PixelLayout?
        private var builder: PixelBufferBuilder?

        mutating func begin(_ layout: PixelLayout, channels: RowChannels) throws(ImageError) {
            self.layout = layout
            builder = try PixelBufferBuilder(layout: layout)
        }

        mutating func row(_ y: Int, _ body: (inout MutableRawSpan) throws -> Void) throws {
            try builder?.withRow(y) { (row: inout MutableRawSpan) throws -> Void in try body(&row) }
        }

        mutating func whole(_ body: (inout MutableRawSpan, Int) throws -> Void) throws {}

        consuming func finish() throws -> PixelBuffer {
            let isOpaque = layout?.isOpaque == true
            guard let builder = consume builder else { throw CancellationError() }
            return builder.finish(isOpaque: isOpaque)
        }
    }

    @Test(arguments: try WebPFixture.stills())
    func `an arriving still is shown row by row, and completely in the end`(_ fixture: WebPFixture) throws {
        let data = try fixture.webp()
        let expected = try #require(try fixture.samples().first)
        let decoder = try makeDecoder()
        var rowCount = 0
        let step = max(1, data.count / 40)
        for start in stride(from: 0, to: data.count, by: step) {
            let end = min(data.count, start + step)
            try decoder.append(data[start..<end].bytes, isLast: end == data.count)
            guard let pixels = try shown(decoder) else { continue }
            let samples = pixels.samples
            let missing = (0..<fixture.height).reversed().prefix { y in
                samples[y * fixture.width * 4..<(y + 1) * fixture.width * 4].allSatisfy { $0 == 0 }
            }.count
            let count = fixture.height - missing
            #expect(count >= rowCount || fixture.hasAlpha)
            rowCount = max(rowCount, count)
            let part = count * fixture.width * 4
            #expect(SampleDifference(Array(samples[..<part]), Array(expected[..<part])) == .zero, "\(end) bytes")
        }
        let last = try #require(try shown(decoder))
        #expect(SampleDifference(last.samples, expected) == .zero)
        #expect(last.isOpaque == !fixture.hasAlpha)
    }

    @Test(arguments: try WebPFixture.all())
    func `info is available before the pixels, and does not change`(_ fixture: WebPFixture) throws {
        let data = try fixture.webp()
        let decoder = try makeDecoder()
        var known: ImageInfo?
        for (index, byte) in data.enumerated() {
            try decoder.append(Data([byte]).bytes, isLast: index == data.count - 1)
            guard let info = try? decoder.info else { continue }
            known = known ?? info
            #expect(info == known)
        }
        #expect(decoder.isAnimation == (fixture.frames != nil))
        // The information on an animation changes with each frame.
        #expect(known?.pixelSize == (decoder.isAnimation ? nil : fixture.size))
    }

    @Test func `a file that is cut off is an error when its last byte is there`() throws {
        let data = try WebPFixture.stills().first { $0.width > 40 }?.webp()
        let cut = try #require(data?.dropLast(20))
        let decoder = try makeDecoder()
        try decoder.append(Data(cut).bytes, isLast: true)
        for _ in 0..<2 {
            let error = #expect(throws: ImageError.self) { try shown(decoder) }
            #expect(error?.code == .badData)
        }
    }
}
#endif
