#if JPEG
import Calotype
import CalotypeJPEG
import CalotypeTesting
import CoderKit
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct JPEGProgressiveDecoderTests {
    /// One picture of each kind.
    static let kinds = [
        "baseline-444", "baseline-420", "gray", "rgb", "ycck-420", "restart-rows", "separate-scans", "progressive-420",
        "progressive-script", "restart-progressive", "ycck-420-progressive", "arithmetic", "arithmetic-progressive",
        "arithmetic-restart", "icc-split", "exif-thumbnail", "extraneous-bytes", "garbage-after-end", "missing-end",
    ]

    private func makeDecoder(_ context: ImageContext = []) throws -> any ProgressiveDecoder {
        let head = ImageBytes(Data([0xFF, 0xD8, 0xFF]))
        let options = DecodeOptions(ResolvedContext(context))
        return try #require(try JPEGCoder().progressiveDecoder(for: head, options: options))
    }

    /// Feeds a decoder the bytes up to each of `ends`, which are sorted, and shows the picture after each.
    private func show(
        _ data: Data, endingAt ends: some Sequence<Int>, by decoder: any ProgressiveDecoder,
        _ body: (_ end: Int, PixelBuffer?) throws -> Void
    ) throws {
        var start = 0
        for end in ends {
            try decoder.append(data[start..<end], isLast: end == data.count)
            try body(end, decoder.shown())
            start = end
        }
    }

    /// Returns the ends of pieces of random lengths.
    private func randomEnds(_ data: Data, upTo longest: Int, _ random: inout SplitMix64) -> [Int] {
        var ends = [0]
        while let last = ends.last, last < data.count {
            ends.append(min(data.count, last + Int.random(in: 1...longest, using: &random)))
        }
        return Array(ends.dropFirst())
    }

    // MARK: The complete picture

    @Test(arguments: try Fixture.all())
    func `a file that arrives at once is decoded like any other`(_ fixture: Fixture) throws {
        let data = try fixture.jpeg()
        let decoder = try makeDecoder()
        try decoder.append(data, isLast: true)
        let pixels = try decoder.collected()
        let expected = try fixture.samples()
        #expect(SampleDifference(pixels.samples, expected) == .zero)
        #expect(pixels.isOpaque)
        #expect(pixels.isGray == (fixture.colorModel == "gray"))

        let plain = try #require(try JPEGCoder().decoder(for: ImageBytes(data), options: DecodeOptions()))
        let (info, plainInfo) = try (decoder.info, plain.info)
        #expect(info == plainInfo)
    }

    @Test(arguments: JPEGProgressiveDecoderTests.kinds)
    func `byte by byte the last picture is the same`(_ name: String) throws {
        let fixture = try Fixture.named(name)
        let data = try fixture.jpeg()
        let decoder = try makeDecoder()
        var last: PixelBuffer?
        try show(data, endingAt: 1...data.count, by: decoder) { _, pixels in last = pixels }
        let pixels = try #require(last)
        let expected = try fixture.samples()
        #expect(SampleDifference(pixels.samples, expected) == .zero)
    }

    @Test(arguments: JPEGProgressiveDecoderTests.kinds)
    func `the last picture is the same in random pieces`(_ name: String) throws {
        let fixture = try Fixture.named(name)
        let data = try fixture.jpeg()
        let expected = try fixture.samples()
        for seed in UInt64(0)..<20 {
            var random = SplitMix64(seed: seed)
            let decoder = try makeDecoder()
            var last: PixelBuffer?
            try show(data, endingAt: randomEnds(data, upTo: 300, &random), by: decoder) { _, pixels in last = pixels }
            let pixels = try #require(last)
            #expect(SampleDifference(pixels.samples, expected) == .zero, "seed \(seed)")
        }
    }

    @Test(arguments: ["baseline-420", "progressive-420", "gray", "arithmetic"])
    func `thumbnails are decoded at a reduced size as usual`(_ name: String) throws {
        let fixture = try Fixture.named(name)
        let data = try fixture.jpeg()
        for (width, reduction) in [(15, 2), (7, 4), (3, 8)] {
            let decoder = try makeDecoder([.thumbnailPixelSize(width, 0)])
            var last: PixelBuffer?
            try show(data, endingAt: [data.count / 2, data.count], by: decoder) { _, pixels in last = pixels }
            let pixels = try #require(last)
            let expected = try fixture.samples(reducedBy: reduction)
            #expect(pixels.size == fixture.size(reducedBy: reduction))
            #expect(SampleDifference(pixels.samples, expected) == .zero)
        }
    }

    @Test func `the end may be signalled separately`() throws {
        for name in ["missing-end", "progressive-420", "arithmetic"] {
            let fixture = try Fixture.named(name)
            let decoder = try makeDecoder()
            try decoder.append(fixture.jpeg(), isLast: false)
            try decoder.append(Data(), isLast: true)
            let pixels = try decoder.collected()
            let expected = try fixture.samples()
            #expect(SampleDifference(pixels.samples, expected) == .zero)
        }
    }

    // MARK: Incomplete pictures

    @Test(arguments: [
        "progressive-444", "progressive-422", "progressive-420", "progressive-440", "progressive-411",
        "progressive-uneven", "progressive-script", "restart-progressive", "gray-progressive", "small-progressive",
    ])
    func `no scan makes the picture worse, and the last one makes it exact`(_ name: String) throws {
        let fixture = try Fixture.named(name)
        let data = try fixture.jpeg()
        let expected = try fixture.samples()
        let ends = JPEGSegment.scanEnds(of: data)
        var errors: [Double] = []
        try show(data, endingAt: ends, by: makeDecoder()) { end, pixels in
            let samples = try #require(pixels, "nothing is shown after \(end) bytes").samples
            let isOpaque = stride(from: 3, to: samples.count, by: 4).allSatisfy { samples[$0] == 255 }
            #expect(isOpaque)
            errors.append(SampleDifference(samples, expected).meanSquare)
        }
        #expect(errors.count == ends.count)
        #expect(errors.last == 0)
        let isSorted = zip(errors, errors.dropFirst()).allSatisfy { $0 >= $1 }
        #expect(isSorted, "\(errors)")
        #expect(errors[0] > errors[errors.count / 2])
    }

    @Test(arguments: [
        "baseline-444", "baseline-422", "baseline-420", "baseline-440", "baseline-411", "baseline-uneven", "gray",
        "restart-rows", "restart-blocks", "rgb", "cmyk", "ycck-420",
    ])
    func `the received rows of a sequential file are exact, and the rest is transparent`(_ name: String) throws {
        let fixture = try Fixture.named(name)
        let data = try fixture.jpeg()
        let expected = try fixture.samples()
        let expectedRows = (0..<fixture.height).map { y in
            Array(expected[y * fixture.width * 4..<(y + 1) * fixture.width * 4])
        }
        // CMYK cannot be transparent: without inks it is white.
        let isInk = fixture.colorModel == "cmyk"
        let nothing = [UInt8](repeating: isInk ? 255 : 0, count: fixture.width * 4)
        var counts: [Int] = []
        let start = try #require(JPEGSegment.scanStarts(of: data).first)
        let ends = Array(stride(from: start, to: data.count, by: 13)) + [data.count]
        try show(data, endingAt: ends, by: makeDecoder()) { end, pixels in
            guard let pixels else { return counts.append(0) }
            let rows = (0..<pixels.height).map { pixels.row($0) }
            let count = rows.firstIndex(of: nothing) ?? rows.count
            let isExact = rows[..<count] == expectedRows[..<count]
            let isEmpty = rows[count...].allSatisfy { $0 == nothing }
            #expect(isExact && isEmpty, "after \(end) bytes")
            #expect(pixels.isOpaque == (isInk || count == rows.count))
            counts.append(count)
        }
        #expect(counts.first == 0)
        #expect(counts.last == fixture.height)
        let isSorted = zip(counts, counts.dropFirst()).allSatisfy { $0 <= $1 }
        #expect(isSorted)
        // Rows appear as the bytes arrive, not all of them at the end.
        #expect(Set(counts).count > 2)
        #expect(counts[counts.count * 4 / 5] >= fixture.height / 4)
    }

    @Test func `an arithmetic-coded picture is shown once complete`() throws {
        for name in ["arithmetic", "arithmetic-progressive"] {
            let data = try Fixture.jpeg(name)
            try show(data, endingAt: [700, 1200, data.count], by: makeDecoder()) { end, pixels in
                #expect((pixels == nil) == (end < data.count))
            }
        }
    }

    @Test(arguments: ["baseline-420", "progressive-420", "icc-split", "orientation-6"])
    func `the header is known once a scan begins, and no earlier`(_ name: String) throws {
        let data = try Fixture.jpeg(name)
        let start = try #require(JPEGSegment.scanStarts(of: data).first)
        let scan = try #require(JPEGSegment.all(of: data).first { $0.marker == JPEGSegment.startOfScan })
        // After the marker of the scan, which ends the header.
        let known = start - scan.body.count - 2
        let plain = try #require(try JPEGCoder().decoder(for: ImageBytes(data), options: DecodeOptions()))
        let expected = try plain.info
        let decoder = try makeDecoder()
        for end in 1...start {
            try decoder.append(data[end - 1..<end], isLast: false)
            let pixels = try decoder.shown()
            #expect(pixels == nil)
            guard end < known else {
                let info = try decoder.info
                #expect(info == expected, "after \(end) bytes")
                continue
            }
            let error = #expect(throws: ImageError.self) { try decoder.info }
            #expect(error?.code == .incomplete)
        }
    }

    /// Returns the fixtures without bytes between segments.
    static func plainFixtures() throws -> [Fixture] {
        try Fixture.all().filter { !["extraneous-bytes", "fill-bytes", "garbage-after-end"].contains($0.name) }
    }

    @Test(arguments: try JPEGProgressiveDecoderTests.plainFixtures())
    func `info at the first scan equals that of the whole file`(_ fixture: Fixture) throws {
        let data = try fixture.jpeg()
        let scan = try #require(JPEGSegment.all(of: data).first { $0.marker == JPEGSegment.startOfScan })
        let start = try #require(JPEGSegment.scanStarts(of: data).first)
        let options = DecodeOptions(ResolvedContext([.keepsMetadata]))
        let plain = try #require(try JPEGCoder().decoder(for: ImageBytes(data), options: options))
        let decoder = try makeDecoder([.keepsMetadata])
        try decoder.append(data[..<(start - scan.body.count - 2)], isLast: false)
        let (info, expected) = try (decoder.info, plain.info)
        #expect(info == expected)
    }

    @Test(arguments: [
        "bad-beyond-dimensions", "bad-precision-12", "bad-two-components", "bad-sampling-zero", "bad-sampling-five",
    ])
    func `no info is given for an unreadable picture`(_ name: String) throws {
        let data = try Fixture.jpeg(name)
        let decoder = try makeDecoder()
        var start = 0
        var codes: Set<ImageError.Code> = []
        while start < data.count {
            let end = min(data.count, start + 1)
            do {
                try decoder.append(data[start..<end], isLast: end == data.count)
                _ = try decoder.info
                Issue.record("expected no info after \(end) bytes")
            } catch let error as ImageError {
                codes.insert(error.code)
            }
            start = end
        }
        #expect(codes == [.incomplete, .badData])
    }

    @Test func `a header with a huge size is reported without allocating memory for it`() throws {
        let data = try Fixture.jpeg("bad-huge-dimensions")
        let decoder = try makeDecoder()
        try decoder.append(data, isLast: false)
        let info = try decoder.info
        #expect(info.pixelSize == PixelSize(65_500, 65_500))
    }

    @Test func `a sink that refuses a picture may be followed by another`() throws {
        let fixture = try Fixture.named("progressive-420")
        let data = try fixture.jpeg()
        let decoder = try makeDecoder()
        let job = Job()
        job.cancel()
        try show(data, endingAt: JPEGSegment.scanEnds(of: data), by: decoder) { _, pixels in
            #expect(pixels != nil)
            let error = #expect(throws: ImageError.self) { try decoder.collected(job: job) }
            #expect(error?.code == .cancelled)
            var sink = RefusingRowSink(rowCount: 5)
            let refusal = #expect(throws: ImageError.self) { try decoder.decode(frame: 0, into: &sink, job: Job()) }
            #expect(refusal?.code == .timedOut)
        }
        let pixels = try decoder.collected()
        let expected = try fixture.samples()
        #expect(SampleDifference(pixels.samples, expected) == .zero)
    }

    /// A sink that accepts some rows and then throws, like a sink whose time is over.
    private struct RefusingRowSink: RowSink {
        var rowCount: Int

        mutating func begin(_ layout: PixelLayout, channels: RowChannels) throws(ImageError) {}

        mutating func row(_ y: Int, _ body: (inout MutableRawSpan) throws -> Void) throws {
            rowCount -= 1
            if rowCount < 0 { throw ImageError(.timedOut, stage: .decode, message: "took longer than allowed") }
            var memory = [UInt8](repeating: 0, count: 61 * 4)
            try memory.withUnsafeMutableBytes { (memory: UnsafeMutableRawBufferPointer) throws -> Void in
                var span = MutableRawSpan(_unsafeBytes: memory)
                try body(&span)
            }
        }

        mutating func whole(_ body: (inout MutableRawSpan, Int) throws -> Void) throws {
            throw ImageError(.timedOut, stage: .decode, message: "took longer than allowed")
        }
    }

    // MARK: Damage

    @Test(arguments: [
        "bad-huffman-data", "bad-huffman-tree", "bad-two-frames", "bad-precision-12", "bad-lossless", "bad-zero-width",
        "bad-missing-quantization", "bad-missing-huffman-progressive", "bad-spectral-range", "bad-restart-missing",
        "bad-two-components", "bad-no-scan",
    ])
    func `nothing is decoded after damage`(_ name: String) throws {
        let data = try Fixture.jpeg(name)
        let decoder = try makeDecoder()
        var failure: ImageError?
        var start = 0
        while failure == nil, start < data.count {
            let end = min(data.count, start + 50)
            do {
                try decoder.append(data[start..<end], isLast: end == data.count)
                _ = try decoder.shown()
            } catch let error as ImageError {
                failure = error
            }
            start = end
        }
        #expect(failure?.code == .badData)
        if start < data.count {
            #expect(throws: ImageError.self) { try decoder.append(data[start...], isLast: true) }
        }
        let shownLater = #expect(throws: ImageError.self) { try decoder.collected() }
        #expect(shownLater?.code == .badData)
        let toldLater = #expect(throws: ImageError.self) { try decoder.info }
        #expect(toldLater?.code == .badData)
    }

    @Test(arguments: [
        "baseline-420", "gray", "restart-rows", "separate-scans", "progressive-420", "progressive-script",
        "ycck-420-progressive",
    ])
    func `a file that is cut off is shown as far as it goes, until its end is known`(_ name: String) throws {
        let fixture = try Fixture.named(name)
        let data = try fixture.jpeg()
        let expected = try fixture.samples()
        for count in stride(from: data.count, to: 3, by: -7) {
            let decoder = try makeDecoder()
            try decoder.append(data.prefix(count), isLast: false)
            _ = try decoder.shown()
            do {
                try decoder.append(Data(), isLast: true)
                let pixels = try decoder.collected()
                #expect(count >= data.count - 2, "\(count) of \(data.count) bytes")
                #expect(SampleDifference(pixels.samples, expected) == .zero)
            } catch let error as ImageError {
                #expect(count < data.count - 2, "\(count) of \(data.count) bytes: \(error)")
                #expect(error.code == .badData)
            }
        }
    }

    @Test func `a scan beyond the limit is refused when it arrives`() throws {
        let data = try Fixture.jpeg("progressive-420")
        let starts = JPEGSegment.scanStarts(of: data)
        #expect(starts.count == 10)
        let decoder = try makeDecoder([.jpegMaxScans(4)])
        // The data of the fifth scan begins after its header.
        let end = starts[4] - 1
        try decoder.append(data[..<end], isLast: false)
        let pixels = try decoder.shown()
        #expect(pixels != nil)
        let error = #expect(throws: ImageError.self) {
            try decoder.append(data[end...], isLast: true)
            _ = try decoder.collected()
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test func `coefficients over the memory limit are refused before memory is allocated`() throws {
        let data = try Fixture.jpeg("progressive-420")
        let start = try #require(JPEGSegment.scanStarts(of: data).first)
        let decoder = try makeDecoder([.jpegMaxCoefficientBytes(9215)])
        try decoder.append(data[..<start], isLast: false)
        _ = try decoder.info
        let error = #expect(throws: ImageError.self) { try decoder.shown() }
        #expect(error?.code == .limitExceeded)
    }

    @Test func `a thousand scans are refused`() throws {
        let data = try Fixture.jpeg("bad-thousand-scans")
        let decoder = try makeDecoder()
        let error = #expect(throws: ImageError.self) {
            try decoder.append(data, isLast: true)
            _ = try decoder.collected()
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test func `a profile over the limit is refused when it arrives`() throws {
        let data = try Fixture.jpeg("icc-split")
        let byteCount = try Fixture.directory.data("icc.icc").count
        let start = try #require(JPEGSegment.scanStarts(of: data).first)
        let header = data[..<start]
        let decoder = try makeDecoder([.maxProfileBytes(byteCount - 1)])
        let error = #expect(throws: ImageError.self) {
            try decoder.append(header, isLast: false)
            _ = try decoder.info
        }
        #expect(error?.code == .limitExceeded)
        let allowing = try makeDecoder([.maxProfileBytes(byteCount)])
        try allowing.append(header, isLast: false)
        let info = try allowing.info
        #expect(info.profile != .sRGB)
    }
}
#endif
