#if JPEG
import Calotype
import CalotypeJPEG
import CoderKit
import Foundation
import Testing

/// The available part of damaged or truncated pictures.
@Suite(.timeLimit(.minutes(5)))
struct JPEGPartialTests {
    private let manager = ImageManager(plugins: [.jpeg], context: [.off(.imageCache)])

    /// The rows that a decoder delivered, and its error.
    private struct Outcome {
        /// The samples of the delivered rows, CMYK as RGB.
        let samples: [UInt8]
        let rowCount: Int
        let error: ImageError?
    }

    private func outcome(_ data: Data, _ context: ImageContext = []) throws -> Outcome {
        let options = DecodeOptions(ResolvedContext(context.merging([.allowPartial])))
        let decoder: any ImageDecoder
        do {
            decoder = try #require(try JPEGCoder().decoder(for: ImageBytes(data), options: options))
        } catch let error as ImageError {
            return Outcome(samples: [], rowCount: 0, error: error)
        }
        var sink = CollectingRowSink()
        var failure: ImageError?
        do {
            try decoder.decode(frame: 0, into: &sink, job: Job())
        } catch let error as ImageError {
            failure = error
        }
        let (rowCount, isInk) = (sink.rowCount, sink.channels == .cmyk)
        guard rowCount > 0 else { return Outcome(samples: [], rowCount: 0, error: failure) }
        let pixels = try sink.finish()
        let colors = isInk ? try pixels.printed() : pixels
        return Outcome(
            samples: Array(colors.samples.prefix(rowCount * pixels.width * 4)), rowCount: rowCount, error: failure)
    }

    // MARK: One scan

    @Test(arguments: [
        "baseline-444", "baseline-422", "baseline-420", "baseline-440", "baseline-411", "gray", "rgb", "cmyk",
        "ycck-420", "restart-rows", "restart-blocks", "arithmetic", "odd-410-35x19",
    ])
    func `a truncated sequential file gives the received rows, then an error`(_ name: String) throws {
        let fixture = try Fixture.named(name)
        let data = try fixture.jpeg()
        let whole = try fixture.samples()
        let start = try #require(JPEGSegment.scanStarts(of: data).first)
        var counts: [Int] = []
        for end in Array(stride(from: start, to: data.count - 3, by: 17)) + [data.count - 3] {
            let outcome = try outcome(data.prefix(end))
            #expect(outcome.error?.code == .badData, "\(end) of \(data.count) bytes")
            let expected = Array(whole.prefix(outcome.samples.count))
            #expect(SampleDifference(outcome.samples, expected) == .zero, "\(end) of \(data.count) bytes")
            counts.append(outcome.rowCount)
        }
        let isSorted = zip(counts, counts.dropFirst()).allSatisfy { $0 <= $1 }
        #expect(isSorted, "\(counts)")
        #expect(counts.first == 0)
        #expect(counts.last.map { $0 > fixture.height / 3 && $0 < fixture.height } == true, "\(counts)")
    }

    @Test(arguments: ["bad-huffman-data", "bad-restart-missing"])
    func `a damaged sequential file gives the rows above the damage`(_ name: String) throws {
        let outcome = try outcome(Fixture.jpeg(name))
        let whole = try Fixture.named("small").samples()
        #expect(outcome.error?.code == .badData)
        // The damage is in the second row of 16-pixel squares, which the last two rows of the first one need.
        #expect(outcome.rowCount == 14)
        let expected = Array(whole.prefix(outcome.samples.count))
        #expect(SampleDifference(outcome.samples, expected) == .zero)
    }

    @Test func `truncated arithmetic-coded data gives the received rows`() throws {
        let fixture = try Fixture.named("arithmetic")
        let data = try fixture.jpeg()
        let whole = try fixture.samples()
        let start = try #require(JPEGSegment.scanStarts(of: data).first)
        let end = JPEGSegment(marker: JPEGSegment.endOfImage).data
        var kept = data.prefix((start + data.count) / 2)
        while kept.last == 0xFF { kept.removeLast() }
        let outcome = try outcome(Data(kept + end))
        #expect(outcome.error?.code == .badData)
        // One row of 16-pixel squares, except for its last two rows, which need the next one.
        #expect(outcome.rowCount == 14)
        #expect(SampleDifference(outcome.samples, Array(whole.prefix(outcome.samples.count))) == .zero)
    }

    // MARK: Many scans

    /// Pictures, and the number of their scans that are present.
    static let cuts: [(String, Int)] = [
        ("progressive-420", 1), ("progressive-420", 4), ("progressive-420", 7), ("progressive-script", 2),
        ("progressive-script", 6), ("gray-progressive", 2), ("cmyk-progressive", 3), ("ycck-420-progressive", 3),
        ("separate-scans", 1), ("separate-scans", 2),
    ]

    /// Returns the first scans of a picture, with the segments before and between them.
    private func segments(_ name: String, scanCount: Int) throws -> [JPEGSegment] {
        let segments = try JPEGSegment.all(of: Fixture.jpeg(name))
        let scans = segments.indices.filter { segments[$0].marker == JPEGSegment.startOfScan }
        return Array(segments[...scans[scanCount - 1]])
    }

    @Test(arguments: JPEGPartialTests.cuts)
    func `complete scans give the picture of libjpeg-turbo's own tool`(_ name: String, _ scanCount: Int) throws {
        let fixture = try Fixture.named(name)
        let data = JPEGSegment.file(try segments(name, scanCount: scanCount))
        for reduction in Fixture.reductions where fixture.tells(reduction) {
            let outcome = try outcome(data, fixture.context(reducedBy: reduction))
            let expected = try fixture.samples(ofScans: scanCount, reducedBy: reduction)
            #expect(outcome.error?.code == .badData)
            #expect(SampleDifference(outcome.samples, expected) == .zero, "reduced by \(reduction)")
        }
    }

    @Test(arguments: [
        "progressive-444", "progressive-420", "progressive-script", "gray-progressive", "restart-progressive",
        "ycck-420-progressive", "separate-scans", "arithmetic-progressive",
    ])
    func `a progressive file gives all rows once its first scan is complete`(_ name: String) throws {
        let fixture = try Fixture.named(name)
        let data = try fixture.jpeg()
        let whole = try fixture.samples()
        let start = try #require(JPEGSegment.scanStarts(of: data).first)
        var counts: [Int] = []
        var errors: [Double] = []
        for end in Array(stride(from: start, to: data.count - 3, by: 17)) + [data.count - 3] {
            let outcome = try outcome(data.prefix(end))
            #expect(outcome.error?.code == .badData, "\(end) of \(data.count) bytes")
            counts.append(outcome.rowCount)
            if outcome.rowCount > 0 { errors.append(SampleDifference(outcome.samples, whole).meanSquare) }
        }
        #expect(counts.first == 0)
        #expect(counts.last == fixture.height)
        #expect(Set(counts) == [0, fixture.height])
        let isSorted = zip(counts, counts.dropFirst()).allSatisfy { $0 <= $1 }
        #expect(isSorted)
        // The known part of a truncated scan is shown too, so that little is missing at the end.
        let first = try #require(errors.first)
        let last = try #require(errors.last)
        #expect(last < first / 100)
    }

    /// Returns the mean squared error of each 16-pixel square.
    private func blockErrors(_ samples: [UInt8], _ fixture: Fixture) throws -> [Double] {
        let whole = try fixture.samples()
        let side = 16
        let columns = (fixture.width + side - 1) / side
        var sums = [Int](repeating: 0, count: columns * ((fixture.height + side - 1) / side))
        for (index, value) in samples.enumerated() {
            let (x, y) = (index / 4 % fixture.width, index / 4 / fixture.width)
            let difference = Int(value) - Int(whole[index])
            sums[y / side * columns + x / side] += difference * difference
        }
        return sums.map { Double($0) / Double(side * side * 3) }
    }

    @Test(arguments: [
        "progressive-444", "progressive-420", "progressive-script", "gray-progressive", "restart-progressive",
        "arithmetic-progressive",
    ])
    func `a scan that is cut off makes no part of the picture much worse`(_ name: String) throws {
        let fixture = try Fixture.named(name)
        let data = try fixture.jpeg()
        let places = zip(JPEGSegment.scanStarts(of: data), JPEGSegment.scanEnds(of: data))
        for (index, place) in places.enumerated().dropFirst() {
            // Only the scans before it, and the end marker.
            let end = JPEGSegment(marker: JPEGSegment.endOfImage)
            let before = try outcome(JPEGSegment.file(segments(name, scanCount: index) + [end]))
            #expect(before.rowCount == fixture.height)
            let expected = try blockErrors(before.samples, fixture)
            for cut in stride(from: place.0, to: place.1, by: 13) {
                let outcome = try outcome(data.prefix(cut))
                try #require(outcome.rowCount == fixture.height)
                let errors = try blockErrors(outcome.samples, fixture)
                // A block that is no longer smoothed, since more of it is known, may differ by a few hundred more; a
                // block without data differs by some thousands.
                let worst = zip(errors, expected).map { $0 - $1 }.max()
                #expect(worst.map { $0 < 1000 } == true, "\(cut) of \(data.count) bytes: \(worst ?? 0)")
            }
        }
    }

    @Test func `damage after a scan leaves the picture so far`() throws {
        let fixture = try Fixture.named("progressive-420")
        let scanCount = 4
        let good = try segments(fixture.name, scanCount: scanCount)
        let rest = try JPEGSegment.all(of: fixture.jpeg()).dropFirst(good.count)
        let expected = try fixture.samples(ofScans: scanCount)
        // A second frame, which declares another size, another coding and more channels than libjpeg supports.
        let frames = [0xC0, 0xC2, 0xC9].map { (marker: UInt8) -> JPEGSegment in
            let components = [UInt8](repeating: 0x11, count: 3 * 255)
            return JPEGSegment(marker: marker, body: Data([8, 0, 1, 0, 1, 255] + components))
        }
        let others = [
            JPEGSegment(marker: JPEGSegment.startOfImage),
            JPEGSegment(marker: 0xC4, body: Data([0x00] + [UInt8](repeating: 255, count: 40))),
            JPEGSegment(marker: 0xDB, body: Data([0x09])),
            JPEGSegment(marker: 0xDC, body: Data([0, 1])),
            JPEGSegment(marker: JPEGSegment.startOfScan, body: Data([1, 9, 0, 0, 63, 0])),
            JPEGSegment(marker: JPEGSegment.startOfScan, body: Data([3, 1, 0, 2, 0, 3, 0, 1, 63, 0])),
            JPEGSegment(marker: 0xF7, body: Data([8])),
        ]
        for damage in frames + others {
            let outcome = try outcome(JPEGSegment.file(good + [damage] + rest))
            // DNL is not a damage: libjpeg skips it.
            guard damage.marker != 0xDC else {
                #expect(outcome.error == nil)
                continue
            }
            #expect(outcome.error?.code == .badData, "marker \(damage.marker)")
            #expect(SampleDifference(outcome.samples, expected) == .zero, "marker \(damage.marker)")
        }
    }

    // MARK: Files without a part

    @Test func `without a complete row nothing is given`() throws {
        for name in ["bad-no-scan", "bad-precision-12", "bad-missing-huffman-progressive", "bad-large-and-short"] {
            let outcome = try outcome(Fixture.jpeg(name))
            #expect(outcome.error?.code == .badData)
            #expect(outcome.rowCount == 0)
        }
    }

    @Test func `a limit is not treated as damage`() throws {
        let data = try Fixture.jpeg("progressive-420")
        let contexts: [ImageContext] = [[.jpegMaxScans(9)], [.jpegMaxCoefficientBytes(9215)]]
        for context in contexts {
            let outcome = try outcome(data, context)
            #expect(outcome.error?.code == .limitExceeded)
            #expect(outcome.rowCount == 0)
        }
    }

    @Test func `a faultless picture is complete`() async throws {
        for name in ["baseline-420", "progressive-420", "arithmetic", "cmyk", "missing-end"] {
            let fixture = try Fixture.named(name)
            let image = try await manager.decode(fixture.jpeg(), context: [.allowPartial, .keepsOrientation])
            let expected = try fixture.samples()
            #expect(!image.attributes.isPartial)
            #expect(SampleDifference(image.pixels.samples, expected) == .zero)
        }
    }

    // MARK: In a manager

    @Test(arguments: ["baseline-420", "gray", "progressive-420"])
    func `a partial picture is given only if allowed`(_ name: String) async throws {
        let fixture = try Fixture.named(name)
        let data = try fixture.jpeg()
        let cut = Data(data.prefix(data.count * 3 / 4))
        let error = await #expect(throws: ImageError.self) { try await manager.decode(cut) }
        #expect(error?.code == .badData)
        let given = try outcome(cut)
        let image = try await manager.decode(cut, context: [.allowPartial])
        #expect(image.attributes.isPartial)
        #expect(image.size == fixture.size)
        let missing = [UInt8](repeating: 0, count: (fixture.height - given.rowCount) * fixture.width * 4)
        #expect(SampleDifference(image.pixels.samples, given.samples + missing) == .zero)
        #expect(image.pixels.isOpaque == missing.isEmpty)

        let thumbnail = try await manager.decode(cut, context: [.allowPartial, .thumbnailPixelSize(15, 0)])
        #expect(thumbnail.attributes.isPartial)
        #expect(thumbnail.size == fixture.size.fitting(PixelSize(15, 0)))
    }
}
#endif
