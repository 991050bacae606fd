#if JPEG
import CalotypeTesting
import CoderKit
import Foundation
import Testing

@testable import Calotype
@testable import CalotypeJPEG

/// Files that are not in memory, and are read a piece at a time.
@Suite(.timeLimit(.minutes(5)))
struct JPEGInputTests {
    /// The result of decoding a file.
    private enum Outcome: Equatable {
        case picture(ImageInfo, [UInt8])
        case failure(ImageError.Code, String)
        case unknown
    }

    private static let pieces = [1, 7, 64]

    /// Decodes a file twice with the same decoder, of which only the first decode continues after the header.
    private func outcomes(_ bytes: ImageBytes, _ context: ImageContext = []) -> [Outcome] {
        let decoder: any ImageDecoder
        do {
            let options = DecodeOptions(ResolvedContext(context))
            guard let made = try JPEGCoder().decoder(for: bytes, options: options) else { return [.unknown] }
            decoder = made
        } catch {
            return [failure(error)]
        }
        return (0..<2).map { _ in
            do {
                let info = try decoder.info
                // The sink has no limits of its own.
                guard info.size.height < 10_000 else { return .failure(.limitExceeded, "\(info.size)") }
                return .picture(info, try decoder.collected().samples)
            } catch {
                return failure(error)
            }
        }
    }

    private func failure(_ error: any Error) -> Outcome {
        let error = ImageError.wrapping(error, as: .badData, stage: .decode, message: "\(error)")
        return .failure(error.code, error.message)
    }

    private static func names() throws -> [String] {
        try Fixture.directory.files().filter { $0.hasSuffix(".jpg") }.map { String($0.dropLast(4)) }
    }

    @Test(arguments: pieces)
    func `every file, good or bad, gives the same result as from memory`(pieceByteCount: Int) throws {
        for name in try Self.names() {
            let data = try Fixture.jpeg(name)
            let expected = outcomes(ImageBytes(data))
            let source = PieceSource(data)
            #expect(outcomes(ImageBytes(source, pieceByteCount: pieceByteCount)) == expected, "\(name)")
            // The signature is checked in the first 64 bytes.
            #expect(source.mostAtOnce <= 64, "\(name)")
        }
    }

    @Test(arguments: [
        "baseline-420", "baseline-444", "gray-progressive", "cmyk-separate-scans", "icc-split", "restart-rows",
    ])
    func `a file that is cut off anywhere gives the same error as from memory`(_ name: String) throws {
        let data = try Fixture.jpeg(name)
        for count in stride(from: 0, through: data.count, by: max(1, data.count / 100)) {
            let short = Data(data.prefix(count))
            let isEqual = outcomes(ImageBytes(PieceSource(short), pieceByteCount: 64)) == outcomes(ImageBytes(short))
            #expect(isEqual, "\(count) of \(data.count) bytes")
        }
    }

    @Test func `planes are the same as from memory`() throws {
        for name in ["baseline-420", "baseline-444", "gray"] {
            let data = try Fixture.jpeg(name)
            let bytes = ImageBytes(PieceSource(data), pieceByteCount: 13)
            let planes = try [bytes, ImageBytes(data)].map { bytes in
                let options = DecodeOptions(ResolvedContext([]))
                return try #require(try JPEGCoder().decoder(for: bytes, options: options)).planar()
            }
            #expect(planes[0].isWhole, "\(name)")
            #expect(planes[0].planes == planes[1].planes, "\(name)")
        }
    }

    @Test func `a partial picture is the same as from memory`() throws {
        for name in ["baseline-420", "restart-rows", "progressive-420", "cmyk-separate-scans"] {
            let data = try Fixture.jpeg(name)
            for count in stride(from: data.count / 2, to: data.count, by: max(1, data.count / 30)) {
                let short = Data(data.prefix(count))
                let bytes = ImageBytes(PieceSource(short), pieceByteCount: 64)
                let expected = outcomes(ImageBytes(short), [.allowPartial])
                #expect(outcomes(bytes, [.allowPartial]) == expected, "\(name), \(count) bytes")
            }
        }
    }

    @Test func `the scans are counted before one is decoded`() throws {
        let data = try Fixture.jpeg("progressive-420")
        let bytes = ImageBytes(PieceSource(data), pieceByteCount: 64)
        let expected = outcomes(ImageBytes(data), [.jpegMaxScans(9)])
        guard case .failure(.limitExceeded, _) = expected[0] else {
            Issue.record("expected an error")
            return
        }
        #expect(outcomes(bytes, [.jpegMaxScans(9)]) == expected)
        guard case .picture = outcomes(bytes, [.jpegMaxScans(10)])[0] else {
            Issue.record("expected a picture")
            return
        }
    }

    @Test(arguments: ["baseline-420", "progressive-420"])
    func `unreadable bytes are an error`(_ name: String) throws {
        let data = try Fixture.jpeg(name)
        for count in stride(from: 64, to: data.count - 64, by: data.count / 20) {
            let bytes = ImageBytes(PieceSource(data, readable: count), pieceByteCount: 7)
            let outcomes = outcomes(bytes)
            #expect(outcomes.allSatisfy { $0 == .failure(.loadFailed, "is out of reach") }, "\(count)")
        }
    }

    // MARK: Memory and time

    private func decoder(_ source: PieceSource) throws -> any ImageDecoder {
        let bytes = ImageBytes(source, pieceByteCount: 64)
        return try #require(try JPEGCoder().decoder(for: bytes, options: DecodeOptions(ResolvedContext([]))))
    }

    /// A sink that records how many bytes have been read when the first row arrives.
    private struct FirstRowSink: RowSink, ~Copyable {
        let source: PieceSource
        private(set) var endAtFirstRow = Int.max
        private var rows = CollectingRowSink()

        init(_ source: PieceSource) { self.source = source }

        mutating func begin(_ layout: PixelLayout, channels: RowChannels) throws(ImageError) {
            try rows.begin(layout, channels: channels)
        }

        mutating func row(_ y: Int, _ body: (inout MutableRawSpan) throws -> Void) throws {
            try rows.row(y, body)
            endAtFirstRow = min(endAtFirstRow, source.end)
        }

        mutating func whole(_ body: (inout MutableRawSpan, Int) throws -> Void) throws {
            try rows.whole(body)
        }
    }

    @Test func `rows are decoded before the file has been read`() throws {
        let source = PieceSource(try Fixture.jpeg("baseline-444"))
        let decoder = try decoder(source)
        #expect(decoder.workingByteCount == 0)
        var sink = FirstRowSink(source)
        try decoder.decode(frame: 0, into: &sink, job: Job())
        let end = sink.endAtFirstRow
        #expect(end < source.byteCount * 3 / 4)
        #expect(source.end == source.byteCount)
    }

    @Test func `several scans count with the bytes of their file`() throws {
        let data = try Fixture.jpeg("progressive-420")
        let inMemory = try #require(
            try JPEGCoder().decoder(for: ImageBytes(data), options: DecodeOptions(ResolvedContext([]))))
        let inPieces = try decoder(PieceSource(data))
        #expect(inPieces.workingByteCount == inMemory.workingByteCount + data.count)
    }

    @Test(arguments: ["baseline-444", "progressive-420"])
    func `cancelling takes effect before the next piece`(_ name: String) throws {
        let data = try Fixture.jpeg(name)
        let job = Job()
        let limit = data.count * 9 / 10
        let source = PieceSource(data) { end in
            if end >= limit { job.cancel() }
        }
        let decoder = try decoder(source)
        let error = #expect(throws: ImageError.self) { try decoder.collected(job: job) }
        #expect(error?.code == .cancelled)
        #expect(source.end < limit + 64)
    }

    @Test func `a long file is read in pieces`() throws {
        var data = try Fixture.jpeg("baseline-420")
        // Comments of 64 KB each, which are skipped, after the start of the image.
        let comment = Data([0xFF, 0xFE, 0xFF, 0xFF]) + Data(count: 0xFFFD)
        data.insert(contentsOf: (0..<40).flatMap { _ in comment }, at: 2)
        let source = PieceSource(data)
        let read = outcomes(ImageBytes(source))
        #expect(read == outcomes(ImageBytes(data)))
        #expect(read == outcomes(ImageBytes(try Fixture.jpeg("baseline-420"))))
        #expect(source.mostAtOnce == 256 << 10)
    }
}
#endif
