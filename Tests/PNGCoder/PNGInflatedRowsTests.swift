#if PNG && DEFLATE
import CalotypeTesting
import Foundation
import Testing

@testable import Calotype
@testable import CalotypePNG

/// Pictures that libdeflate inflates as a whole, compared with the same pictures from libpng alone.
@Suite(.timeLimit(.minutes(5)))
struct PNGInflatedRowsTests {
    /// The number of damaged copies of each picture.
    private static let damageCount = 80

    private struct Picture: Equatable {
        let layout: PixelLayout
        let samples: [Int]
    }

    /// The result of decoding all frames of a file.
    private enum Outcome: Equatable {
        case pictures([Picture])
        case failure(ImageError.Code, String)
    }

    private func outcome(_ data: Data, _ context: ImageContext, inflatesAtOnce: Bool) throws -> Outcome {
        do {
            let coder = PNGCoder(inflatesAtOnce: inflatesAtOnce)
            let options = DecodeOptions(ResolvedContext(context))
            guard let decoder = try coder.decoder(for: ImageBytes(data), options: options) else {
                return .failure(.unknownFormat, "")
            }
            return .pictures(
                try (0..<decoder.info.frameCount).map { frame in
                    let pixels = try decoder.collected(frame)
                    return Picture(layout: pixels.layout, samples: pixels.samples)
                })
        } catch let error as ImageError {
            return .failure(error.code, error.message)
        }
    }

    private static let contexts: [ImageContext] = [[], [.nativeDepth], [.allowPartial]]

    /// Expects that both coders return the same pictures, or fail with the same error.
    private func compare(_ data: Data, _ context: ImageContext, _ comment: Comment? = nil) throws {
        let fast = try outcome(data, context, inflatesAtOnce: true)
        #expect(try fast == outcome(data, context, inflatesAtOnce: false), comment)
    }

    private func decoder(_ data: Data) throws -> PNGDecoder {
        try PNGDecoder(ImageBytes(data), options: DecodeOptions(ResolvedContext([])))
    }

    private func isInflatedAtOnce(_ data: Data) throws -> Bool {
        let decoder = try decoder(data)
        return decoder.inflatedRows(at: nil, PixelLayout(size: decoder.info.pixelSize)) != nil
    }

    @Test func `every intact picture is inflated at once, unless it is interlaced or has a small window`() throws {
        var count = 0
        for fixture in try Fixture.all() {
            let data = try Fixture.png(fixture.name)
            let pixels = PNGChunk.all(of: data).filter { $0.type == "IDAT" && !$0.body.isEmpty }
            let stream = try #require(pixels.first).body
            let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][fixture.colorType] ?? 0
            let byteCount = fixture.height * (1 + (fixture.width * channels * fixture.bitDepth + 7) / 8)
            let hasWindow = stream[0] >> 4 == 7 || byteCount <= 256 << (stream[0] >> 4)
            let isExpected = !fixture.interlaced && hasWindow
            #expect(try isInflatedAtOnce(data) == isExpected, "\(fixture.name)")
            count += isExpected ? 1 : 0
        }
        #expect(count > 20)
    }

    @Test(arguments: try PNGContractTests.good() + PNGContractTests.bad())
    func `all files are decoded as by libpng alone`(_ file: String) throws {
        let data = try Fixture.data(file)
        for context in Self.contexts { try compare(data, context) }
    }

    @Test(arguments: try PNGContractTests.good())
    func `damaged files are decoded as by libpng alone`(_ file: String) throws {
        let data = try Fixture.data(file)
        var random = SplitMix64(seed: UInt64(data.count))
        for round in 0..<Self.damageCount {
            var damaged = data
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                damaged[Int.random(in: 8..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            // With correct checksums, the damage reaches the inflater.
            if round % 4 != 0 { damaged = PNGChunk.file(PNGChunk.all(of: damaged)) }
            try compare(damaged, Self.contexts[round % 3], "round \(round)")
        }
    }

    // MARK: Streams

    /// Returns a gray picture of 8 bits with a stream of pixels.
    private func file(width: Int, height: Int, chunks: [Data]) -> Data {
        let header = PNGChunk.bigEndian(width) + PNGChunk.bigEndian(height) + Data([8, 0, 0, 0, 0])
        let pixels = chunks.map { PNGChunk(type: "IDAT", body: $0) }
        return PNGChunk.file(
            [PNGChunk(type: "IHDR", body: header)] + pixels + [PNGChunk(type: "IEND", body: Data())])
    }

    /// Returns the rows of a picture with random bytes, each with a random filter.
    private func rows(width: Int, height: Int, filters: ClosedRange<UInt8> = 0...4) -> Data {
        var random = SplitMix64(seed: UInt64(width))
        return Data(
            (0..<height).flatMap { _ in
                [UInt8.random(in: filters, using: &random)]
                    + (0..<width).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            })
    }

    @Test func `a stream in many chunks, also empty ones, is inflated`() throws {
        let stream = ZlibStream.stored(rows(width: 17, height: 9))
        let pieces = stream.map { Data([$0]) } + [Data()]
        let whole = file(width: 17, height: 9, chunks: [stream])
        let split = file(width: 17, height: 9, chunks: [Data()] + pieces)
        #expect(try isInflatedAtOnce(split))
        try compare(split, [])
        #expect(try decoder(split).collected().samples == decoder(whole).collected().samples)
    }

    @Test func `an unknown filter is left to libpng`() throws {
        for filter in UInt8(5)...255 {
            var rows = rows(width: 3, height: 4)
            rows[8] = filter
            let data = file(width: 3, height: 4, chunks: [ZlibStream.stored(rows)])
            #expect(try !isInflatedAtOnce(data))
            try compare(data, [])
        }
    }

    @Test func `rows that are missing or left over are left to libpng`() throws {
        for height in [1, 8, 10, 40] {
            let data = file(width: 5, height: 9, chunks: [ZlibStream.stored(rows(width: 5, height: height))])
            #expect(try !isInflatedAtOnce(data))
            for context in Self.contexts { try compare(data, context) }
        }
    }

    @Test func `a stream with bytes after its end or without its end is left to libpng`() throws {
        let stream = ZlibStream.stored(rows(width: 5, height: 9))
        for chunks in [[stream + Data([0])], [stream, Data([1, 2, 3])], [stream.dropLast()], [stream.dropLast(4)]] {
            let data = file(width: 5, height: 9, chunks: chunks)
            #expect(try !isInflatedAtOnce(data))
            for context in Self.contexts { try compare(data, context) }
        }
        var wrong = stream
        wrong[wrong.count - 1] ^= 1
        let data = file(width: 5, height: 9, chunks: [wrong])
        #expect(try !isInflatedAtOnce(data))
        for context in Self.contexts { try compare(data, context) }
    }

    @Test func `a stream with a window smaller than the rows is left to libpng`() throws {
        var stream = ZlibStream.stored(rows(width: 20, height: 30))
        // A window of 256 bytes: its base-2 logarithm less 8, and the check bits of RFC 1950, section 2.2.
        (stream[0], stream[1]) = (0x08, 0x1D)
        #expect(try !isInflatedAtOnce(file(width: 20, height: 30, chunks: [stream])))
        // 1,024 bytes suffice for 630.
        (stream[0], stream[1]) = (0x28, 0x15)
        #expect(try isInflatedAtOnce(file(width: 20, height: 30, chunks: [stream])))
    }

    @Test func `a picture of many rows beyond the limit is left to libpng`() throws {
        // 64 MiB in 8,192 rows of 8,192 bytes, each with the number of its filter, are 8,192 bytes too many.
        let size = PixelSize(8192, 8192)
        let decoder = try decoder(file(width: 3, height: 4, chunks: [ZlibStream.stored(rows(width: 3, height: 4))]))
        #expect(decoder.inflatedRows(at: nil, PixelLayout(size: size)) == nil)
        let bomb = file(width: size.width, height: size.height, chunks: [ZlibStream.zeros()])
        #expect(try self.decoder(bomb).workingByteCount == 0)
        let small = file(width: 100, height: 100, chunks: [ZlibStream.zeros()])
        #expect(try self.decoder(small).workingByteCount == 2 * 101 * 100)
    }

    @Test func `more compressed bytes than the rows can need are left to libpng`() throws {
        let stream = ZlibStream.stored(rows(width: 5, height: 9))
        let padding = Data(repeating: 0, count: 5000)
        let data = file(width: 5, height: 9, chunks: [stream, padding])
        #expect(try !isInflatedAtOnce(data))
        try compare(data, [])
    }
}
#endif
