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
            #expect(planes[0].planes == planes[1].planes, "\(name)")
        }
    }

    @Test func `a scan beyond the limits is refused`() throws {
        let data = try Fixture.jpeg("bad-thousand-scans")
        let bytes = ImageBytes(PieceSource(data), pieceByteCount: 64)
        guard case .failure(let code, _) = outcomes(bytes, [.jpegMaxScans(10)])[0] else {
            Issue.record("expected an error")
            return
        }
        #expect(code == .limitExceeded)
    }

    @Test func `unreadable bytes are an error`() throws {
        let data = try Fixture.jpeg("baseline-420")
        for count in stride(from: 64, to: data.count - 64, by: data.count / 20) {
            let bytes = ImageBytes(PieceSource(data, readable: count), pieceByteCount: 7)
            #expect(outcomes(bytes)[0] == .failure(.loadFailed, "is out of reach"), "\(count)")
        }
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
