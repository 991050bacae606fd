#if PNG && DEFLATE
import CDeflate
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

    /// What a decoder has delivered of a frame.
    private struct Part: Equatable {
        let rowCount: Int
        let layout: PixelLayout?
        let samples: [Int]
        let code: ImageError.Code?
        let message: String?
    }

    /// The result of decoding all frames of a file.
    private enum Outcome: Equatable {
        case parts([Part])
        case failure(ImageError.Code, String)

        /// The message of the first error; nil if there is none.
        var message: String? {
            switch self {
            case .parts(let parts): parts.lazy.compactMap(\.message).first
            case .failure(_, let message): message
            }
        }
    }

    private func outcome(_ data: Data, _ context: ImageContext, inflatesAtOnce: Bool) throws -> Outcome {
        do {
            let coder = PNGCoder(inflatesAtOnce: inflatesAtOnce)
            let options = DecodeOptions(ResolvedContext(context))
            guard let decoder = try coder.decoder(for: ImageBytes(data), options: options) else {
                return .failure(.unknownFormat, "")
            }
            return .parts(
                try (0..<decoder.info.frameCount).map { frame in
                    let (pixels, rowCount, failure) = decoder.collectedPart(frame)
                    let error = failure as? ImageError
                    return Part(
                        rowCount: rowCount, layout: pixels?.layout, samples: pixels?.samples ?? [], code: error?.code,
                        message: error?.message)
                })
        } catch let error as ImageError {
            return .failure(error.code, error.message)
        }
    }

    private static let contexts: [ImageContext] = [[], [.nativeDepth], [.allowPartial]]

    /// libpng's errors for codes that zlib refuses and libdeflate accepts.
    private static let strictErrors = [
        "invalid literal/length code", "invalid distance code", "too many length or distance symbols",
        "invalid bit length repeat", "invalid code lengths set", "invalid literal/lengths set", "invalid distances set",
    ]

    /// Expects that both coders return the same pictures, or fail with the same error. A picture in spite of codes that
    /// zlib refuses is accepted too.
    private func compare(_ data: Data, _ context: ImageContext, _ comment: Comment? = nil) throws {
        let fast = try outcome(data, context, inflatesAtOnce: true)
        let plain = try outcome(data, context, inflatesAtOnce: false)
        if fast != plain, fast.message == nil, let message = plain.message,
            Self.strictErrors.contains(where: { message.contains($0) })
        {
            return
        }
        #expect(fast == plain, comment)
    }

    private func decoder(_ data: Data) throws -> PNGDecoder {
        try PNGDecoder(ImageBytes(data), options: DecodeOptions(ResolvedContext([])))
    }

    private func isInflatedAtOnce(_ data: Data) throws -> Bool {
        let decoder = try decoder(data)
        return decoder.inflatedRows(ofFrame: 0, PixelLayout(size: decoder.info.pixelSize)) != nil
    }

    /// Returns the stream in a file of the default image.
    private func stream(of data: Data) -> Data {
        PNGChunk.all(of: data).filter { $0.type == "IDAT" }.reduce(into: Data()) { $0 += $1.body }
    }

    @Test func `every intact picture is inflated at once, unless it is interlaced or has a small window`() throws {
        var count = 0
        for fixture in try Fixture.all() {
            let data = try Fixture.png(fixture.name)
            let stream = stream(of: data)
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

    @Test func `the frames of an animation are inflated at once, unless they are interlaced or have a small window`()
        throws
    {
        var count = 0
        var others: [String] = []
        for file in try PNGContractTests.good() where file.hasPrefix("animated-") && !file.contains("interlaced") {
            let decoder = try decoder(Fixture.data(file))
            for (index, frame) in decoder.info.frames.enumerated() {
                count += 1
                guard decoder.inflatedRows(ofFrame: index, PixelLayout(size: frame.region.size)) == nil else {
                    continue
                }
                others.append("\(file), frame \(index)")
            }
        }
        #expect(count > 20)
        #expect(others == ["animated-pairs-16.png, frame 10", "animated-rgb16-keyed.png, frame 10"])
    }

    @Test(arguments: try PNGContractTests.good().filter { !$0.hasPrefix("animated-") })
    func `damaged streams with the right checksum are decoded as by libpng alone`(_ file: String) throws {
        let data = try Fixture.data(file)
        let stream = stream(of: data)
        let others = PNGChunk.all(of: data).filter { $0.type != "IDAT" }
        var random = SplitMix64(seed: UInt64(data.count))
        guard stream.count > 8 else { return }
        var count = 0
        for round in 0..<4 * Self.damageCount {
            var damaged = stream
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                damaged[Int.random(in: 2..<stream.count - 4, using: &random)] ^=
                    1 << UInt8.random(in: 0..<8, using: &random)
            }
            guard let inflated = Self.inflated(damaged.dropFirst(2).dropLast(4)) else { continue }
            count += 1
            damaged = damaged.dropLast(4) + ZlibStream.checksum(of: inflated)
            var chunks = others
            chunks.insert(PNGChunk(type: "IDAT", body: damaged), at: others.count - 1)
            try compare(PNGChunk.file(chunks), Self.contexts[round % 3], "round \(round)")
        }
        #expect(count > 0 || stream.count < 40, "no damage left a stream that can be inflated")
    }

    /// Returns the inflated bytes of a stream without zlib's header and checksum; nil if libdeflate refuses it.
    private static func inflated(_ stream: Data) -> Data? {
        guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
        defer { libdeflate_free_decompressor(decompressor) }
        var output = Data(count: 1 << 16)
        var count = 0
        let result = output.withUnsafeMutableBytes { output in
            stream.withUnsafeBytes { stream in
                libdeflate_deflate_decompress(
                    decompressor, stream.baseAddress, stream.count, output.baseAddress, output.count, &count)
            }
        }
        return result == LIBDEFLATE_SUCCESS ? output.prefix(count) : nil
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

    @Test func `rows of more than 64 MiB are left to libpng`() throws {
        let decoder = try decoder(Fixture.png("rgba8"))
        let form = decoder.storedForm
        let fits = PNGInflatedRows.workingByteCount(of: form, PixelSize(4096, 4096), fileByteCount: 1000)
        #expect(fits == 4 * 4096 + 4096 * (1 + 4 * 4096) + 1000)
        #expect(PNGInflatedRows.workingByteCount(of: form, PixelSize(4096, 4097), fileByteCount: 1000) == nil)
        let most = PixelSize(Int(Int32.max), Int(Int32.max))
        #expect(PNGInflatedRows.workingByteCount(of: form, most, fileByteCount: 1000) == nil)
        // The compressed pixels are at most as long as rows that cannot be compressed.
        let small = PNGInflatedRows.workingByteCount(of: form, PixelSize(10, 10), fileByteCount: 1 << 20)
        #expect(small == 40 + 410 + 410 + 410 / 64 + 4096)
    }

    @Test func `more compressed bytes than the rows can need are left to libpng`() throws {
        let stream = ZlibStream.stored(rows(width: 5, height: 9))
        // Empty stored blocks. Source: RFC 1951, section 3.2.4.
        func padded(_ count: Int) -> Data {
            let blocks = (0..<count).reduce(into: Data()) { blocks, _ in blocks += [0, 0, 0, 0xFF, 0xFF] }
            return file(width: 5, height: 9, chunks: [stream.prefix(2) + blocks + stream.dropFirst(2)])
        }
        #expect(try isInflatedAtOnce(padded(500)))
        #expect(try !isInflatedAtOnce(padded(1000)))
        for context in Self.contexts {
            try compare(padded(500), context)
            try compare(padded(1000), context)
        }
    }

    @Test func `more small chunks than the limit are left to libpng`() throws {
        let stream = ZlibStream.stored(rows(width: 5, height: 9))
        let text = PNGChunk(type: "tEXt", body: Data())
        func file(texts: Int, pixels: Int) -> Data {
            var chunks = PNGChunk.all(of: self.file(width: 5, height: 9, chunks: [stream]))
            chunks.insert(contentsOf: Array(repeating: PNGChunk(type: "IDAT", body: Data()), count: pixels), at: 1)
            chunks.insert(contentsOf: Array(repeating: text, count: texts), at: 1)
            return PNGChunk.file(chunks)
        }
        #expect(try isInflatedAtOnce(file(texts: 49_900, pixels: 49_900)))
        let many = file(texts: 50_100, pixels: 50_100)
        #expect(try !isInflatedAtOnce(many))
        try compare(many, [])
    }

    @Test func `a transparent color before a palette is ignored, as by libpng`() throws {
        for depth in [8, 16] {
            let header = PNGChunk.bigEndian(2) + PNGChunk.bigEndian(1) + Data([UInt8(depth), 2, 0, 0, 0])
            let pixels = ZlibStream.stored(Data([0]) + Data(repeating: 1, count: 2 * 3 * depth / 8))
            let key = Data([1, 1, 1, 1, 1, 1])
            for types in [["tRNS", "PLTE"], ["PLTE", "tRNS"]] {
                let colors = types.map { PNGChunk(type: $0, body: $0 == "tRNS" ? key : Data([9, 9, 9])) }
                let data = PNGChunk.file(
                    [PNGChunk(type: "IHDR", body: header)] + colors
                        + [PNGChunk(type: "IDAT", body: pixels), PNGChunk(type: "IEND", body: Data())])
                let decoder = try decoder(data)
                let isTransparent = types == ["PLTE", "tRNS"]
                #expect(decoder.info.hasAlpha == isTransparent, "\(types)")
                #expect(try decoder.collected().samples[3] == (isTransparent ? 0 : 255), "\(types), \(depth)")
                for context in Self.contexts { try compare(data, context) }
            }
        }
    }

    /// These are the known differences: codes that RFC 1951 leaves unused, which libdeflate takes for others.
    @Test func `unused codes are refused by libpng alone`() throws {
        let streams = [ZlibStream.unusedLength(rowByteCount: 259), ZlibStream.unusedDistance(rowByteCount: 24_600)]
        for (stream, width) in zip(streams, [259, 24_600]) {
            let data = file(width: width, height: 1, chunks: [stream])
            let plain = try outcome(data, [], inflatesAtOnce: false)
            #expect(Self.strictErrors.contains { plain.message?.contains($0) == true }, "\(plain.message ?? "none")")
            #expect(try isInflatedAtOnce(data))
        }
    }
}
#endif
