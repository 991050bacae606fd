#if JPEG
import Calotype
import CalotypeJPEG
import CoderKit
import Foundation
import Testing

/// Luma, chroma and gray planes, delivered to the sink as stored.
@Suite(.timeLimit(.minutes(5)))
struct JPEGPlanesTests {
    private func makeDecoder(_ data: Data, _ context: ImageContext = []) throws -> any ImageDecoder {
        let options = DecodeOptions(ResolvedContext(context))
        return try #require(try JPEGCoder().decoder(for: ImageBytes(data), options: options))
    }

    private func makeProgressiveDecoder(_ context: ImageContext = []) throws -> any ProgressiveDecoder {
        let head = ImageBytes(Data([0xFF, 0xD8, 0xFF]))
        let options = DecodeOptions(ResolvedContext(context))
        return try #require(try JPEGCoder().progressiveDecoder(for: head, options: options))
    }

    // MARK: Layouts

    @Test(arguments: [
        ("baseline-444", PixelSize(61, 47)), ("baseline-422", PixelSize(31, 47)), ("baseline-440", PixelSize(61, 24)),
        ("baseline-420", PixelSize(31, 24)), ("progressive-422", PixelSize(31, 47)), ("arithmetic", PixelSize(31, 24)),
        ("separate-scans", PixelSize(31, 24)),
    ])
    func `a picture in color has a plane of luma and two of chroma`(_ name: String, _ chromaSize: PixelSize) throws {
        let sink = try makeDecoder(Fixture.jpeg(name)).planar()
        #expect(sink.layout == PlanarLayout(size: PixelSize(61, 47), chromaSize: chromaSize))
        #expect(sink.isWhole)
    }

    @Test(arguments: ["gray", "gray-progressive"])
    func `a gray picture has one plane`(_ name: String) throws {
        let sink = try makeDecoder(Fixture.jpeg(name)).planar()
        #expect(sink.layout == PlanarLayout(size: PixelSize(61, 47), chromaSize: nil))
        #expect(sink.isWhole)
    }

    @Test(arguments: [
        "baseline-411", "progressive-411", "baseline-uneven", "progressive-uneven", "rgb", "rgb-without-adobe",
        "adobe-transform-0", "cmyk", "cmyk-progressive", "cmyk-without-adobe", "ycck", "ycck-420-progressive",
    ])
    func `other pictures have only rows`(_ name: String) throws {
        let fixture = try Fixture.named(name)
        for reduction in Fixture.reductions {
            let sink = try makeDecoder(fixture.jpeg(), fixture.context(reducedBy: reduction)).planar()
            #expect(sink.layout == nil, "reduced by \(reduction)")
        }
    }

    @Test func `chroma is reduced less than luma if that gives equal sizes`() throws {
        let fixture = try Fixture.named("baseline-420")
        for (reduction, size) in [(2, PixelSize(31, 24)), (4, PixelSize(16, 12)), (8, PixelSize(8, 6))] {
            let sink = try makeDecoder(fixture.jpeg(), fixture.context(reducedBy: reduction)).planar()
            #expect(sink.layout == PlanarLayout(size: size, chromaSize: size))
        }
    }

    // MARK: Samples

    @Test(arguments: try Fixture.all())
    func `planes match the pixels of libjpeg-turbo's own tool`(_ fixture: Fixture) throws {
        let reductions = Fixture.reductions.filter { $0 <= min(fixture.width, fixture.height) && fixture.tells($0) }
        for reduction in reductions {
            let sink = try makeDecoder(fixture.jpeg(), fixture.context(reducedBy: reduction)).planar()
            guard let layout = sink.layout else { return }
            #expect(layout.size == fixture.size(reducedBy: reduction))
            #expect(sink.isWhole)
            // That tool repeats chroma if there are few samples: at an eighth, and with two in a row.
            let chromaWidth = layout.chromaSize?.width ?? 0
            let isSmooth = reduction < 8 && (chromaWidth > 2 || fixture.name.contains("440"))
            let levels = sink.levels(isSmooth: isSmooth)
            let expected = try fixture.samples(reducedBy: reduction)
            try #require(levels.count == expected.count)
            let difference = zip(levels, expected).reduce(0) { max($0, abs($1.0 - Double($1.1))) }
            // It rounds chroma when it enlarges it, and rounds colors.
            let bound = layout.chromaSize == nil || layout.chromaSize == layout.size ? 0.51 : 1.5
            #expect(difference <= bound, "reduced by \(reduction)")
        }
    }

    // MARK: Truncated and damaged data

    @Test(arguments: [
        "small", "small-progressive", "gray", "restart-rows", "separate-scans", "arithmetic", "arithmetic-progressive",
    ])
    func `a file that is cut off gives all of its planes or an error`(_ name: String) throws {
        let data = try Fixture.jpeg(name)
        let enough = name.hasPrefix("arithmetic") ? data.count : data.count - 2
        for count in 3...data.count {
            do {
                let sink = try makeDecoder(Data(data.prefix(count))).planar()
                #expect(count >= enough && sink.isWhole, "\(count) of \(data.count) bytes")
            } catch let error as ImageError {
                #expect(count < enough && error.code == .badData, "\(count) of \(data.count) bytes: \(error)")
            }
        }
    }

    @Test(arguments: [
        ("bad-huffman-data", "is damaged in row"), ("bad-truncated-data", "is truncated: it ends in row"),
    ])
    func `the error names the row of a fault`(_ name: String, _ message: String) throws {
        let decoder = try makeDecoder(Fixture.jpeg(name))
        let error = #expect(throws: ImageError.self) { try decoder.planar() }
        #expect(error?.code == .badData)
        #expect(error?.message.hasPrefix(message) == true)
    }

    // MARK: Progressive decoding

    @Test(arguments: [
        "progressive-444", "progressive-422", "progressive-420", "progressive-440", "gray-progressive",
        "progressive-script", "restart-progressive", "separate-scans",
    ])
    func `planes improve with each scan, and are exact in the end`(_ name: String) throws {
        let fixture = try Fixture.named(name)
        let data = try fixture.jpeg()
        for reduction in Fixture.reductions {
            let context = fixture.context(reducedBy: reduction)
            let expected = try makeDecoder(data, context).planar()
            let decoder = try makeProgressiveDecoder(context)
            var errors: [Double] = []
            var start = 0
            for end in JPEGSegment.scanEnds(of: data) {
                try decoder.append(data[start..<end], isLast: end == data.count)
                let shown = try #require(try decoder.shownPlanar(), "nothing is shown after \(end) bytes")
                #expect(shown.isWhole)
                #expect(shown.layout == expected.layout)
                let (samples, exact) = (Array(shown.planes.joined()), Array(expected.planes.joined()))
                errors.append(SampleDifference(samples, exact).meanSquare)
                start = end
            }
            #expect(errors[0] > 0)
            #expect(errors.last == 0)
            let isSorted = zip(errors, errors.dropFirst()).allSatisfy { $0 >= $1 }
            #expect(isSorted, "\(errors)")
        }
    }

    @Test func `no planes are given before the first scan`() throws {
        let data = try Fixture.jpeg("progressive-420")
        let start = try #require(JPEGSegment.scanStarts(of: data).first)
        let decoder = try makeProgressiveDecoder()
        var begin = 0
        for end in [start / 2, start, start + 20] {
            try decoder.append(data[begin..<end], isLast: false)
            let sink = try decoder.shownPlanar()
            #expect(sink == nil)
            begin = end
        }
    }

    @Test(arguments: ["baseline-420", "gray"])
    func `a sequential file is shown as rows, and missing rows are transparent`(_ name: String) throws {
        let fixture = try Fixture.named(name)
        let decoder = try makeProgressiveDecoder()
        try decoder.append(fixture.jpeg(), isLast: true)
        let sink = try decoder.planar()
        #expect(sink.layout == nil)
        let pixels = try decoder.collected()
        let expected = try fixture.samples()
        #expect(SampleDifference(pixels.samples, expected) == .zero)
    }

    @Test func `a sink that fails on planes may be followed by another`() throws {
        let data = try Fixture.jpeg("progressive-420")
        let decoder = try makeProgressiveDecoder()
        var start = 0
        for end in JPEGSegment.scanEnds(of: data) {
            try decoder.append(data[start..<end], isLast: end == data.count)
            var sink = PlanarRowSink(callLimit: 4)
            let error = #expect(throws: ImageError.self) { try decoder.decode(frame: 0, into: &sink, job: Job()) }
            #expect(error?.code == .timedOut)
            start = end
        }
        let sink = try decoder.planar()
        let expected = try makeDecoder(data).planar()
        #expect(sink.planes == expected.planes)
    }

    @Test func `a decoder keeps giving planes or rows as it started`() throws {
        let data = try Fixture.jpeg("progressive-420")
        let planar = try makeProgressiveDecoder()
        try planar.append(data, isLast: true)
        _ = try planar.planar()
        let error = #expect(throws: ImageError.self) { try planar.collected() }
        #expect(error?.code == .badData)
        _ = try planar.planar()

        // Every sink accepts rows.
        let rows = try makeProgressiveDecoder()
        try rows.append(data, isLast: true)
        _ = try rows.collected()
        let sink = try rows.planar()
        #expect(sink.layout == nil)
    }
}
#endif
