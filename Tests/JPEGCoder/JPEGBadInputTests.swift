#if JPEG
import Calotype
import CalotypeJPEG
import CoderKit
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct JPEGBadInputTests {
    /// A file with one fault, and its expected error.
    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        var code: ImageError.Code = .badData
        /// A part of the message.
        var message: String

        var testDescription: String { name }
    }

    static let faults = [
        Fault(name: "bad-empty", code: .unknownFormat, message: "not an image in a known format"),
        Fault(name: "bad-start-only", code: .unknownFormat, message: "not an image in a known format"),
        Fault(name: "bad-png", code: .unknownFormat, message: "is png"),
        Fault(name: "bad-signature-only", message: "ends in the header"),
        Fault(name: "bad-truncated-header", message: "ends in the header"),
        Fault(name: "bad-end-at-once", message: "the header"),
        Fault(name: "bad-tables-only", message: "the header"),
        Fault(name: "bad-no-scan", message: "the header"),
        Fault(name: "bad-no-frame", message: "the header"),
        Fault(name: "bad-two-frames", message: "the header"),
        Fault(name: "bad-zero-width", message: "the header"),
        Fault(name: "bad-zero-height", message: "DNL"),
        Fault(name: "bad-huge-dimensions", code: .limitExceeded, message: "65500x65500"),
        Fault(name: "bad-beyond-dimensions", message: "65500"),
        Fault(name: "bad-large-and-short", message: "scan 1"),
        Fault(name: "bad-precision-12", message: "precision 12"),
        Fault(name: "bad-precision-0", message: "precision 0"),
        Fault(name: "bad-lossless", message: "0xc3"),
        Fault(name: "bad-hierarchical", message: "0xc5"),
        Fault(name: "bad-jpeg-ls", message: "0xf7"),
        Fault(name: "bad-no-components", message: "the header"),
        Fault(name: "bad-two-components", message: "2 channels"),
        Fault(name: "bad-eleven-components", message: "11"),
        Fault(name: "bad-component-count", message: "the header"),
        Fault(name: "bad-sampling-zero", message: "the header"),
        Fault(name: "bad-sampling-five", message: "the header"),
        Fault(name: "bad-scan-component", message: "the header"),
        Fault(name: "bad-scan-components", message: "the header"),
        Fault(name: "bad-spectral-range", message: "scan 2"),
        Fault(name: "bad-missing-quantization", message: "Quantization table"),
        Fault(name: "bad-missing-huffman-progressive", message: "Huffman table"),
        Fault(name: "bad-quantization-index", message: "the header"),
        Fault(name: "bad-huffman-index", message: "the header"),
        Fault(name: "bad-huffman-counts", message: "the header"),
        Fault(name: "bad-huffman-tree", message: "Huffman table"),
        Fault(name: "bad-segment-length", message: "the header"),
        Fault(name: "bad-huffman-data", message: "is damaged in row"),
        Fault(name: "bad-restart-missing", message: "is damaged in row"),
        Fault(name: "bad-truncated-data", message: "ends in row"),
        Fault(name: "bad-between-scans", message: "ends in scan 4"),
        Fault(name: "bad-thousand-scans", code: .limitExceeded, message: "more than the allowed 100 scans"),
    ]

    private let manager = ImageManager(plugins: [.jpeg], context: [.off(.imageCache)])

    private func outcome(_ data: Data, _ context: ImageContext = []) async -> Result<Image, ImageError> {
        do throws(ImageError) {
            return .success(try await manager.decode(data, context: context))
        } catch {
            return .failure(error)
        }
    }

    @Test(arguments: JPEGBadInputTests.faults)
    func `the error for a faulty file names the fault`(_ fault: Fault) async throws {
        let data = try Fixture.jpeg(fault.name)
        let error = await #expect(throws: ImageError.self) { try await manager.decode(data) }
        let said = try #require(error)
        #expect(said.code == fault.code)
        #expect(said.message.contains(fault.message), "\(said.message)")
    }

    @Test func `every bad file is used by a test`() throws {
        let bad = try Fixture.directory.files().filter { $0.hasPrefix("bad-") }
        #expect(Set(bad) == Set(Self.faults.map { $0.name + ".jpg" }))
    }

    @Test func `the error for a side that is too long says what to do`() async throws {
        let error = await #expect(throws: ImageError.self) {
            try await manager.decode(Fixture.jpeg("bad-beyond-dimensions"))
        }
        #expect(error?.advice?.contains("resize") == true)
    }

    // MARK: Truncation

    @Test(arguments: [
        "small", "small-progressive", "gray", "restart-rows", "separate-scans", "ycck-420-progressive", "arithmetic",
        "arithmetic-progressive", "icc-split",
    ])
    func `a file that is cut off is an image only when all pixels are there`(_ name: String) async throws {
        let fixture = try Fixture.named(name)
        let data = try fixture.jpeg()
        let whole = try fixture.samples()
        // The end of arithmetically coded data is known only by the marker after it.
        let enough = name.hasPrefix("arithmetic") ? data.count : data.count - 2
        for count in 0...data.count {
            switch await outcome(Data(data.prefix(count)), [.keepsProfile]) {
            case .success(let image):
                #expect(count >= enough, "\(count) of \(data.count) bytes")
                #expect(SampleDifference(image.pixels.samples, whole) == .zero)
            case .failure(let error):
                #expect(count < enough, "\(count) of \(data.count) bytes: \(error)")
                #expect(error.code == (count < 3 ? .unknownFormat : .badData))
            }
        }
    }

    @Test(arguments: [
        "baseline-444", "baseline-422", "baseline-420", "baseline-440", "gray", "cmyk", "progressive-420",
        "gray-progressive", "separate-scans", "arithmetic",
    ])
    func `a thumbnail of a file that is cut off is an error too`(_ name: String) async throws {
        let data = try Fixture.jpeg(name)
        // For all pixels, a half and a quarter of them.
        for side in [25, 15, 7] {
            for count in stride(from: 3, to: data.count - 2, by: 41) + [data.count - 3] {
                switch await outcome(Data(data.prefix(count)), [.thumbnailPixelSize(side, side)]) {
                case .success: Issue.record("\(count) of \(data.count) bytes, \(side) wide")
                case .failure(let error): #expect(error.code == .badData)
                }
            }
        }
    }

    // MARK: Limits

    @Test func `a picture larger than the request allows is refused`() async throws {
        let data = try Fixture.jpeg("small")
        let contexts: [ImageContext] = [[.maxPixels(33 * 31 - 1)], [.maxSidePixels(32)]]
        for context in contexts {
            let error = await #expect(throws: ImageError.self) { try await manager.decode(data, context: context) }
            #expect(error?.code == .limitExceeded)
        }
        _ = try await manager.decode(data, context: [.maxPixels(33 * 31), .maxSidePixels(33)])
    }

    @Test(arguments: ["icc", "icc-split", "icc-reordered"])
    func `a profile longer than the request allows is refused`(_ name: String) async throws {
        let data = try Fixture.jpeg(name)
        let byteCount = try Fixture.directory.data("icc.icc").count
        for limit in [byteCount - 1, 1, 0] {
            let error = await #expect(throws: ImageError.self) {
                try await manager.decode(data, context: [.maxProfileBytes(limit)])
            }
            #expect(error?.code == .limitExceeded)
        }
        let info = try await manager.info(of: data, context: [.maxProfileBytes(byteCount)])
        #expect(info.profile != .sRGB)
    }

    @Test func `a profile of several million bytes is refused`() async throws {
        var segments = try JPEGSegment.all(of: Fixture.jpeg("small"))
        for number in 1...UInt8(100) {
            var body = Data("ICC_PROFILE\0".utf8) + Data([number, 100])
            body.append(Data(count: 65_533 - body.count))
            segments.insert(JPEGSegment(marker: JPEGSegment.application2, body: body), at: Int(number))
        }
        let data = JPEGSegment.file(segments)
        let error = await #expect(throws: ImageError.self) { try await manager.info(of: data) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func `a profile of a hundred million bytes is refused long before its end`() throws {
        let segments = try JPEGSegment.all(of: Fixture.jpeg("small"))
        let options = DecodeOptions(ResolvedContext([]))
        let longest = 65_533 - 14
        // Parts that match, parts with the same number, and impossible parts.
        let numbers: [(Int) -> [UInt8]] = [
            { [UInt8($0 % 255 + 1), 255] }, { _ in [1, 2] }, { [0, UInt8($0 % 256)] },
        ]
        for number in numbers {
            let head = ImageBytes(segments[0].data + segments[1].data)
            let decoder = try #require(try JPEGCoder().progressiveDecoder(for: head, options: options))
            try decoder.append(head.data, isLast: false)
            var count = 0
            var failure: ImageError?
            while failure == nil, count < 1600 {
                let body = Data("ICC_PROFILE\0".utf8) + Data(number(count)) + Data(count: longest)
                do {
                    try decoder.append(JPEGSegment(marker: JPEGSegment.application2, body: body).data, isLast: false)
                } catch let error as ImageError {
                    failure = error
                }
                count += 1
            }
            #expect(failure?.code == .limitExceeded)
            // At most four million bytes and one part were retained.
            #expect(count == (4 << 20) / longest + 1)
        }
    }

    // MARK: Superfluous data

    @Test(arguments: ["small", "small-progressive"])
    func `thousands of repeated tables are harmless`(_ name: String) async throws {
        let fixture = try Fixture.named(name)
        var segments = try JPEGSegment.all(of: fixture.jpeg())
        let tables = segments.filter { [0xC4, 0xDB].contains($0.marker) }
        let place = try #require(segments.firstIndex { $0.marker == 0xDB })
        let repeated = (0..<5_000).flatMap { _ in tables }
        // They are repeated after those, each where it takes effect.
        segments.insert(contentsOf: repeated, at: place)
        let image = try await manager.decode(JPEGSegment.file(segments))
        let expected = try fixture.samples()
        #expect(SampleDifference(image.pixels.samples, expected) == .zero)
    }

    @Test func `thousands of restart markers are an error`() async throws {
        var segments = try JPEGSegment.all(of: Fixture.jpeg("restart-rows"))
        let scan = try #require(segments.firstIndex { $0.marker == JPEGSegment.startOfScan })
        segments[scan].scan = Data((0..<200_000).flatMap { [0xFF, 0xD0 + UInt8($0 % 8)] as [UInt8] })
        let data = JPEGSegment.file(segments)
        let contexts: [ImageContext] = [[], [.allowPartial], [.thumbnailPixelSize(7, 7)]]
        for context in contexts {
            let error = await #expect(throws: ImageError.self) { try await manager.decode(data, context: context) }
            #expect(error?.code == .badData)
        }
    }

    @Test func `data between segments is skipped, however much`() async throws {
        let fixture = try Fixture.named("small")
        let segments = try JPEGSegment.all(of: fixture.jpeg())
        let (start, rest) = (JPEGSegment.file(segments.prefix(2)), JPEGSegment.file(segments.dropFirst(2)))
        let comment = JPEGSegment(marker: 0xFE, body: Data(count: 65_533))
        let comments = JPEGSegment.file(Array(repeating: comment, count: 100))
        let expected = try fixture.samples()
        for fill in [Data(repeating: 0xFF, count: 1 << 22), Data(repeating: 1, count: 1 << 22), comments] {
            let image = try await manager.decode(start + fill + rest)
            #expect(SampleDifference(image.pixels.samples, expected) == .zero)
        }
    }

    /// Returns the positions of restart markers.
    private func restarts(of data: Data) -> [Int] {
        data.indices.dropLast().filter { data[$0] == 0xFF && (0xD0...0xD7).contains(data[$0 + 1]) }
    }

    @Test(arguments: ["restart-rows", "restart-blocks", "restart-progressive"])
    func `a few bytes before each restart are skipped, and many are an error`(_ name: String) async throws {
        let fixture = try Fixture.named(name)
        let data = try fixture.jpeg()
        let expected = try fixture.samples()
        let places = restarts(of: data)
        #expect(places.count >= 2)
        // Bytes as some webcams leave them, and fill bytes, which the format allows before any marker.
        for stray in [Data([0x55]), Data([0x12, 0x34, 0x56]), Data(repeating: 0xFF, count: 300)] {
            var file = data
            for place in places.reversed() { file.insert(contentsOf: stray, at: place) }
            let image = try await manager.decode(file)
            #expect(SampleDifference(image.pixels.samples, expected) == .zero, "\(stray.count) bytes")
        }
        for (count, isDamage) in [(64, false), (72, true), (2000, true)] {
            for place in places.prefix(8) {
                var file = data
                file.insert(contentsOf: Data(repeating: 0x55, count: count), at: place)
                let contexts: [ImageContext] = [[], [.thumbnailPixelSize(25, 0)]]
                for context in contexts {
                    switch await outcome(file, context) {
                    case .success: #expect(!isDamage, "\(count) bytes at \(place)")
                    case .failure(let error): #expect(isDamage && error.code == .badData, "\(count) bytes at \(place)")
                    }
                }
            }
        }
    }

    @Test(arguments: ["progressive-420", "gray-progressive", "separate-scans"])
    func `many bytes between scans are an error, and before the end they are not`(_ name: String) async throws {
        let fixture = try Fixture.named(name)
        let segments = try JPEGSegment.all(of: fixture.jpeg())
        let scans = segments.indices.filter { segments[$0].marker == JPEGSegment.startOfScan }
        let expected = try fixture.samples()
        let fillings = [
            (Data(repeating: 0x55, count: 9), true), (Data(repeating: 0xFF, count: 300), true),
            (Data(repeating: 0x55, count: 300), false),
        ]
        for (filling, isHarmless) in fillings {
            for scan in scans {
                var others = segments
                others[scan].scan += filling
                switch await outcome(JPEGSegment.file(others)) {
                case .success(let image):
                    #expect(isHarmless || scan == scans.last)
                    #expect(SampleDifference(image.pixels.samples, expected) == .zero)
                case .failure(let error):
                    #expect(!isHarmless && scan != scans.last)
                    #expect(error.code == .badData)
                }
            }
        }
    }

    /// Returns the first scans of a file that has a thousand valid ones.
    private func file(scanCount: Int) throws -> Data {
        let segments = try JPEGSegment.all(of: Fixture.jpeg("bad-thousand-scans"))
        let first = try #require(segments.firstIndex { $0.marker == JPEGSegment.startOfScan })
        let end = JPEGSegment(marker: JPEGSegment.endOfImage)
        return JPEGSegment.file(Array(segments.prefix(first + scanCount)) + [end])
    }

    @Test func `a hundred scans are decoded, and one more is not`() async throws {
        let image = try await manager.decode(file(scanCount: 100))
        let isGray = image.pixels.samples.enumerated().allSatisfy { $1 == ($0 % 4 == 3 ? 255 : 128) }
        #expect(image.size == PixelSize(8, 8))
        #expect(isGray)

        let more = try file(scanCount: 101)
        let error = await #expect(throws: ImageError.self) { try await manager.decode(more) }
        #expect(error?.code == .limitExceeded)
        _ = try await manager.decode(more, context: [.jpegMaxScans(101)])
        _ = try await manager.decode(Fixture.jpeg("bad-thousand-scans"), context: [.jpegMaxScans(1000)])
    }

    @Test func `the request can change the number of allowed scans`() async throws {
        let data = try Fixture.jpeg("progressive-420")
        #expect(JPEGSegment.scanStarts(of: data).count == 10)
        _ = try await manager.decode(data, context: [.jpegMaxScans(10)])
        let error = await #expect(throws: ImageError.self) {
            try await manager.decode(data, context: [.jpegMaxScans(9)])
        }
        #expect(error?.code == .limitExceeded)
        // The information before the first scan does not depend on the limit.
        _ = try await manager.info(of: data, context: [.jpegMaxScans(1)])
        _ = try await manager.decode(Fixture.jpeg("baseline-420"), context: [.jpegMaxScans(1)])
    }

    /// 4x3 squares of 16 pixels have 48 blocks of luma and 12 of each chroma in an interleaved scan. The luma of 61x47
    /// pixels in a separate scan also has 48. In cjpeg's script 72 blocks have one coefficient in two scans, 48 have 5,
    /// 58, 63 and 63, and 24 have 63 in two.
    private static let coefficientCount = 72 * (8 + 8) + 48 * (8 + 58 + 63 + 63) + 24 * (63 + 63)

    @Test(arguments: [
        ("progressive-420", coefficientCount), ("arithmetic-progressive", 2 * coefficientCount),
        ("separate-scans", 72 * 64),
    ])
    func `the coefficients of all scans are counted and limited`(
        _ name: String, _ count: Int
    ) async throws {
        let data = try Fixture.jpeg(name)
        _ = try await manager.decode(data, context: [.jpegMaxScanCoefficients(count)])
        let error = await #expect(throws: ImageError.self) {
            try await manager.decode(data, context: [.jpegMaxScanCoefficients(count - 1)])
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.advice?.contains("jpegMaxScanCoefficients") == true)
        var sink = RefusingSink(refuses: false)
        let (early, looks) = try refusal(data, [.jpegMaxScanCoefficients(count - 1)], &sink)
        #expect(early?.code == .limitExceeded)
        #expect(!sink.isAsked)
        #expect(looks == 0)
        // A progressive decoder refuses scans as they arrive.
        let options = DecodeOptions(ResolvedContext([.jpegMaxScanCoefficients(count - 1)]))
        let decoder = try #require(try JPEGCoder().progressiveDecoder(for: ImageBytes(data), options: options))
        try decoder.append(data, isLast: true)
        let late = #expect(throws: ImageError.self) { try decoder.collected() }
        #expect(late?.code == .limitExceeded)
        _ = try await manager.info(of: data, context: [.jpegMaxScanCoefficients(1)])
        _ = try await manager.decode(Fixture.jpeg("baseline-420"), context: [.jpegMaxScanCoefficients(1)])
    }

    /// Returns a gray file with a declared size and many scans.
    private func file(of scans: [JPEGSegment], frame: UInt8, size: Int) -> Data {
        let side = [UInt8(size >> 8), UInt8(size & 0xFF)]
        let quantization: [UInt8] = [0] + Array(repeating: 1, count: 64)
        // One code of one bit.
        let table: [UInt8] = [0, 1] + Array(repeating: 0, count: 16)
        let component: [UInt8] = [1, 1, 0x11, 0]
        let header = [
            JPEGSegment(marker: JPEGSegment.startOfImage),
            JPEGSegment(marker: 0xDB, body: Data(quantization)),
            JPEGSegment(marker: 0xC4, body: Data(table)),
            JPEGSegment(marker: frame, body: Data([8] + side + side + component)),
        ]
        return JPEGSegment.file(header + scans + [JPEGSegment(marker: JPEGSegment.endOfImage)])
    }

    /// Returns a scan of some coefficients of the gray channel.
    private func scan(_ coefficients: ClosedRange<UInt8>, data: [UInt8] = []) -> JPEGSegment {
        let body = Data([1, 1, 0, coefficients.lowerBound, coefficients.upperBound, 0])
        return JPEGSegment(marker: JPEGSegment.startOfScan, body: body, scan: Data(data))
    }

    @Test(arguments: [JPEGSegment.progressiveFrame, 0xCA])
    func `bare scans of a large picture are refused before memory is taken`(_ frame: UInt8) throws {
        let data = file(of: Array(repeating: scan(0...0), count: 99), frame: frame, size: 16_000)
        #expect(data.count < 1100)
        try expectRefusal(of: data)
    }

    /// A few bytes of arithmetically coded data that expand to an unlimited number of nearly empty blocks. One scan
    /// takes as much work as dozens of DC scans.
    private static let nearlyEmptyData: [[UInt8]] = [
        [0x80, 0x8F, 0x9E, 0x9C, 0x98, 0xCA],
        [
            0xD2, 0x8E, 0x36, 0x30, 0x32, 0xDE, 0x49, 0xE9, 0x07, 0xC4, 0x22, 0xEB, 0xFE, 0x96, 0x7F, 0x4A, 0x7F,
            0x3C, 0x6B, 0x59, 0x9B, 0xE1, 0x0F, 0x72, 0x13, 0x9E, 0xCB, 0x65, 0x61, 0x7A, 0x1D, 0x70, 0x2D, 0xE6,
            0x41, 0xF3, 0xD2, 0x55, 0x55, 0x0C, 0x4B, 0x15, 0x44, 0x20, 0x3B, 0x9B, 0xAB, 0x14, 0xBA, 0x25, 0x4A,
            0x21, 0xCC, 0x1B, 0x0D, 0xBB, 0x23, 0x21, 0x5D, 0xFD,
        ],
    ]

    @Test(arguments: nearlyEmptyData)
    func `scans with many coefficients count more than bare ones`(_ data: [UInt8]) throws {
        let averages = scan(0...0, data: [0x4C, 0x05])
        func file(_ coefficients: ClosedRange<UInt8>, size: Int) -> Data {
            let others = Array(repeating: scan(coefficients, data: data), count: 84)
            return self.file(of: [averages] + others, frame: 0xCA, size: size)
        }
        try expectRefusal(of: file(1...63, size: 7040))
        // 64 blocks. Each counts as eight coefficients in a bare scan, and coded arithmetically as twice as many.
        let limit: ImageContext = [.jpegMaxScanCoefficients(85 * 64 * 8 * 2)]
        var sink = RefusingSink(refuses: false)
        #expect(try refusal(file(1...1, size: 64), limit, &sink).error?.code != .limitExceeded)
        #expect(try refusal(file(1...63, size: 64), limit, &sink).error?.code == .limitExceeded)
    }

    /// Expects a file to be refused for its scans, before anything is decoded.
    private func expectRefusal(of data: Data) throws {
        var sink = RefusingSink(refuses: false)
        let (error, looks) = try refusal(data, [], &sink)
        #expect(error?.code == .limitExceeded)
        #expect(error?.advice?.contains("jpegMaxScanCoefficients") == true)
        #expect(!sink.isAsked)
        #expect(looks == 0)
    }

    // MARK: Arithmetically coded data

    @Test(arguments: ["arithmetic", "arithmetic-progressive", "arithmetic-restart"])
    func `missing arithmetic-coded data is an error, even before the end marker`(
        _ name: String
    ) async throws {
        let data = try Fixture.jpeg(name)
        let start = try #require(JPEGSegment.scanStarts(of: data).first)
        let end = JPEGSegment(marker: JPEGSegment.endOfImage).data
        var codes: [ImageError.Code?] = []
        for part in 0...8 {
            var kept = data.prefix(start + (data.count - 2 - start) * part / 10)
            // Do not keep half of an escaped byte.
            while kept.last == 0xFF { kept.removeLast() }
            switch await outcome(Data(kept + end)) {
            case .success: codes.append(nil)
            case .failure(let error): codes.append(error.code)
            }
        }
        #expect(codes == Array(repeating: .badData, count: 9))
    }

    @Test func `scans without data are an error if they cover more than a few blocks`() async throws {
        for (size, frame) in [(64, 0xC9), (64, 0xCA), (16_000, 0xC9)] as [(Int, UInt8)] {
            let data = file(of: [scan(0...0)], frame: frame, size: size)
            let error = await #expect(throws: ImageError.self) {
                try await manager.decode(data, context: [.thumbnailPixelSize(8, 8)])
            }
            #expect(error?.code == .badData)
            #expect(error?.message.contains("missing") == true)
        }
    }

    /// Returns a file that keeps its restart markers, but lacks the data of some intervals.
    /// - Parameter isKept: Returns whether the data of an interval is kept, by its number in its scan.
    private func file(_ data: Data, keepingIntervals isKept: (Int) -> Bool) throws -> Data {
        var segments = JPEGSegment.all(of: data)
        for index in segments.indices where segments[index].marker == JPEGSegment.startOfScan {
            let scan = [UInt8](segments[index].scan)
            var kept = Data()
            var interval = 0
            var place = 0
            while place < scan.count {
                let isPair = scan[place] == 0xFF && place + 1 < scan.count
                let bytes = scan[place..<place + (isPair ? 2 : 1)]
                let isRestart = isPair && (0xD0...0xD7).contains(scan[place + 1])
                if isRestart || isKept(interval) { kept.append(contentsOf: bytes) }
                if isRestart { interval += 1 }
                place += bytes.count
            }
            segments[index].scan = kept
        }
        return JPEGSegment.file(segments)
    }

    @Test(arguments: ["arithmetic-restart", "arithmetic-restart-blocks", "arithmetic-restart-progressive"])
    func `a restart interval without data is an error`(_ name: String) async throws {
        let data = try Fixture.jpeg(name)
        let copy = try file(data, keepingIntervals: { _ in true })
        #expect(copy == data)
        let selections: [(Int) -> Bool] = [{ _ in false }, { $0 != 0 }, { $0 != 1 }, { $0 == 0 }]
        for (number, isKept) in selections.enumerated() {
            let damaged = try file(data, keepingIntervals: isKept)
            #expect(damaged.count < data.count)
            switch await outcome(damaged) {
            case .success: Issue.record("selection \(number)")
            case .failure(let error): #expect(error.code == .badData, "selection \(number): \(error)")
            }
            // The rows of the first interval are delivered if it contains whole rows.
            if name == "arithmetic-restart", isKept(0) {
                let image = try await manager.decode(damaged, context: [.allowPartial])
                #expect(image.attributes.isPartial, "selection \(number)")
            }
        }
    }

    /// Refinements of a pattern may have very little data, but not none.
    @Test func `a refinement of many blocks without data is an error`() async throws {
        var segments = JPEGSegment.all(of: try Fixture.jpeg("plain-arithmetic-progressive"))
        let last = try #require(segments.lastIndex { $0.marker == JPEGSegment.startOfScan })
        // A scan of all coefficients except DC.
        #expect(segments[last].body.suffix(3).elementsEqual([1, 63, 0x10]))
        segments[last].scan = Data()
        switch await outcome(JPEGSegment.file(segments)) {
        case .success: Issue.record("expected an error for a refinement without data")
        case .failure(let error): #expect(error.code == .badData)
        }
    }

    /// Only restart markers, in a picture that claims to be large.
    @Test(arguments: [0xC9, 0xCA] as [UInt8])
    func `a file with only restart markers is an error`(_ frame: UInt8) async throws {
        var segments = JPEGSegment.all(of: file(of: [scan(0...0)], frame: frame, size: 2000))
        let scan = try #require(segments.firstIndex { $0.marker == JPEGSegment.startOfScan })
        // 62,500 blocks, in intervals of 4096.
        segments[scan].scan = Data((0..<15).flatMap { [0xFF, 0xD0 + UInt8($0 % 8)] as [UInt8] })
        segments.insert(JPEGSegment(marker: 0xDD, body: Data([0x10, 0x00])), at: scan)
        let data = JPEGSegment.file(segments)
        let contexts: [ImageContext] = [[], [.thumbnailPixelSize(8, 8)]]
        for context in contexts {
            let error = await #expect(throws: ImageError.self) { try await manager.decode(data, context: context) }
            #expect(error?.code == .badData)
            #expect(error?.message.contains("missing") == true)
        }
    }

    @Test(arguments: [
        "arithmetic-restart", "arithmetic-restart-blocks", "arithmetic-restart-progressive",
        "margin-arithmetic-restart", "margin-arithmetic-restart-progressive",
    ])
    func `zeros omitted before a restart are not an error`(_ name: String) async throws {
        let fixture = try Fixture.named(name)
        let expected = try fixture.samples()
        for context: ImageContext in [[], [.allowPartial]] {
            let image = try await manager.decode(fixture.jpeg(), context: context)
            #expect(!image.attributes.isPartial)
            #expect(SampleDifference(image.pixels.samples, expected) == .zero)
        }
    }

    /// A uniform gray, for which an encoder omits nearly all data; more than a thousand bytes of zeros in scans.
    @Test(arguments: ["plain-arithmetic", "plain-arithmetic-progressive"])
    func `zeros omitted by an encoder are not an error`(_ name: String) async throws {
        let data = try Fixture.jpeg(name)
        #expect(data.count < 400)
        for context: ImageContext in [[], [.allowPartial]] {
            let image = try await manager.decode(data, context: context)
            #expect(image.size == PixelSize(1000, 1000))
            #expect(!image.attributes.isPartial)
            let isPlain = image.pixels.samples.enumerated().allSatisfy { $1 == ($0 % 4 == 3 ? 255 : 128) }
            #expect(isPlain)
        }
    }

    @Test(arguments: ["progressive-420", "separate-scans", "arithmetic-progressive"])
    func `coefficients take no more memory than allowed`(_ name: String) async throws {
        let data = try Fixture.jpeg(name)
        // 4x3 squares of 16 pixels, with four blocks of luma and two of chroma, of 64 two-byte numbers each.
        let byteCount = 4 * 3 * 6 * 64 * 2
        _ = try await manager.decode(data, context: [.jpegMaxCoefficientBytes(byteCount)])
        let error = await #expect(throws: ImageError.self) {
            try await manager.decode(data, context: [.jpegMaxCoefficientBytes(byteCount - 1)])
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.contains("\(byteCount)") == true)
        #expect(error?.advice?.contains("jpegMaxCoefficientBytes") == true)
        // The memory does not depend on the requested size.
        let thumbnail = await #expect(throws: ImageError.self) {
            try await manager.decode(
                data, context: [.jpegMaxCoefficientBytes(byteCount - 1), .thumbnailPixelSize(7, 7)])
        }
        #expect(thumbnail?.code == .limitExceeded)
        _ = try await manager.info(of: data, context: [.jpegMaxCoefficientBytes(1)])
        _ = try await manager.decode(Fixture.jpeg("baseline-420"), context: [.jpegMaxCoefficientBytes(1)])
    }

    @Test func `more than half a gigabyte of coefficients is refused unless the request allows it`() async throws {
        var segments = try JPEGSegment.all(of: Fixture.jpeg("small-progressive"))
        let frame = try #require(segments.firstIndex { $0.marker == JPEGSegment.progressiveFrame })
        // 20,000 x 13,000 pixels in 4:2:0: 780 MB. The height and the width follow the bit depth.
        segments[frame].body.replaceSubrange(1..<5, with: [0x32, 0xC8, 0x4E, 0x20])
        let data = JPEGSegment.file(segments)
        let info = try await manager.info(of: data)
        #expect(info.pixelSize == PixelSize(20_000, 13_000))
        let error = await #expect(throws: ImageError.self) {
            try await manager.decode(data, context: [.thumbnailPixelSize(100, 100), .jpegMaxScanCoefficients(.max)])
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.contains("536870912") == true)
    }

    @Test func `a scan repeated a thousand times is refused`() async throws {
        for name in ["progressive-420", "separate-scans", "arithmetic-progressive"] {
            var segments = try JPEGSegment.all(of: Fixture.jpeg(name))
            let last = try #require(segments.lastIndex { $0.marker == JPEGSegment.startOfScan })
            segments.insert(contentsOf: Array(repeating: segments[last], count: 1000), at: last)
            let data = JPEGSegment.file(segments)
            let error = await #expect(throws: ImageError.self) { try await manager.decode(data) }
            #expect(error?.code == .limitExceeded)
        }
    }

    // MARK: Early refusals

    /// A sink that refuses pictures over the limit, like the library's own sinks, and accepts no rows.
    private struct RefusingSink: RowSink {
        private(set) var rowCount = 0
        /// Whether a picture was announced.
        private(set) var isAsked = false
        var refuses = true

        mutating func begin(_ layout: PixelLayout, channels: RowChannels) throws(ImageError) {
            isAsked = true
            if refuses { throw ImageError(.limitExceeded, stage: .decode, message: "refused by the sink") }
        }

        mutating func row(_ y: Int, _ body: (inout MutableRawSpan) throws -> Void) throws { rowCount += 1 }
        mutating func whole(_ body: (inout MutableRawSpan, Int) throws -> Void) throws { rowCount += 1 }
    }

    /// Returns the error of a file, and the number of job checks until then: one for each part of a scan.
    private func refusal(
        _ data: Data, _ context: ImageContext, _ sink: inout RefusingSink
    ) throws -> (error: ImageError?, looks: Int) {
        let options = DecodeOptions(ResolvedContext(context))
        let decoder = try #require(try JPEGCoder().decoder(for: ImageBytes(data), options: options))
        let time = TickingTime()
        let job = Job(timeout: .seconds(1_000_000), time: time)
        let before = time.looks.withLock { $0 }
        var refusal: ImageError?
        do {
            try decoder.decode(frame: 0, into: &sink, job: job)
        } catch let error as ImageError {
            refusal = error
        }
        return (refusal, time.looks.withLock { $0 } - before)
    }

    /// Returns a file that claims the largest size that libjpeg allows.
    private func hugeFile(_ name: String, frame: UInt8) throws -> Data {
        var segments = try JPEGSegment.all(of: Fixture.jpeg(name))
        let place = try #require(segments.firstIndex { $0.marker == frame })
        // The height and the width follow the bit depth: 65,500 each.
        segments[place].body.replaceSubrange(1..<5, with: [0xFF, 0xDC, 0xFF, 0xDC])
        return JPEGSegment.file(segments)
    }

    @Test(arguments: [("small", JPEGSegment.baselineFrame), ("small-progressive", JPEGSegment.progressiveFrame)])
    func `the sink can refuse a picture before its coefficients are checked`(_ name: String, _ frame: UInt8) throws {
        let data = try hugeFile(name, frame: frame)
        var sink = RefusingSink()
        let (error, looks) = try refusal(data, [.jpegMaxCoefficientBytes(1), .jpegMaxScanCoefficients(.max)], &sink)
        #expect(error?.message == "refused by the sink")
        #expect(looks == 0)
        #expect(sink.rowCount == 0)
    }

    @Test func `too many coefficients are refused before any scan is read`() throws {
        let data = try hugeFile("small-progressive", frame: JPEGSegment.progressiveFrame)
        var sink = RefusingSink(refuses: false)
        let (error, looks) = try refusal(data, [.jpegMaxScanCoefficients(.max)], &sink)
        #expect(error?.code == .limitExceeded)
        #expect(error?.advice?.contains("jpegMaxCoefficientBytes") == true)
        #expect(looks == 0)
        #expect(sink.rowCount == 0)
    }

    @Test func `scans beyond the limit are counted, not read`() throws {
        var sink = RefusingSink(refuses: false)
        let (error, looks) = try refusal(Fixture.jpeg("bad-thousand-scans"), [], &sink)
        #expect(error?.code == .limitExceeded)
        #expect(error?.advice?.contains("jpegMaxScans") == true)
        #expect(!sink.isAsked)
        #expect(looks == 0)
        // Up to the limit, scans are read.
        let read = try refusal(file(scanCount: 100), [], &sink)
        #expect(read.error == nil)
        #expect(read.looks > 100)
        #expect(sink.rowCount == 8)
    }

    @Test func `too many large scans are refused as they arrive`() throws {
        let data = try hugeFile("small-progressive", frame: JPEGSegment.progressiveFrame)
        let decoder = try #require(
            try JPEGCoder().progressiveDecoder(for: ImageBytes(data), options: DecodeOptions()))
        try decoder.append(data, isLast: true)
        // Refused by the sink, or otherwise by the limit on coefficients.
        for refuses in [true, false] {
            var sink = RefusingSink(refuses: refuses)
            var code: ImageError.Code?
            do {
                try decoder.decode(frame: 0, into: &sink, job: Job())
            } catch let error as ImageError {
                code = error.code
            }
            #expect(code == .limitExceeded)
            #expect(sink.rowCount == 0)
        }
    }

    @Test func `the scans of an embedded thumbnail are not counted`() async throws {
        let fixture = try Fixture.named("exif-thumbnail")
        let image = try await manager.decode(fixture.jpeg(), context: [.jpegMaxScans(1), .keepsOrientation])
        let expected = try fixture.samples()
        #expect(SampleDifference(image.pixels.samples, expected) == .zero)
    }
}
#endif
