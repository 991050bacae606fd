#if PNG
import Calotype
import CalotypePNG
import Foundation
import Testing

/// Small files with large claims or large output. Each file, or the part in question, is refused before it costs time
/// or memory.
@Suite(.timeLimit(.minutes(5)))
struct PNGBombTests {
    private let manager = ImageManager(plugins: [.png], context: [.off(.imageCache)])

    private func header(_ width: Int, _ height: Int, isInterlaced: Bool = false) -> PNGChunk {
        PNGChunk(
            type: "IHDR",
            body: PNGChunk.bigEndian(width) + PNGChunk.bigEndian(height) + Data([8, 2, 0, 0, isInterlaced ? 1 : 0]))
    }

    /// Returns the picture `upright` with an additional chunk before its pixels.
    private func picture(with chunk: PNGChunk) throws -> Data {
        var chunks = try PNGChunk.all(of: Fixture.png("upright"))
        chunks.insert(chunk, at: 1)
        return PNGChunk.file(chunks)
    }

    private func refusal(_ data: Data, _ context: ImageContext = []) async -> ImageError? {
        await #expect(throws: ImageError.self) { try await manager.decode(data, context: context) }
    }

    @Test(arguments: [false, true])
    func `65535 by 65535 pixels of zeros are refused`(_ isInterlaced: Bool) async throws {
        let pixels = PNGChunk(type: "IDAT", body: ZlibStream.zeros())
        let data = PNGChunk.file([
            header(65_535, 65_535, isInterlaced: isInterlaced), pixels, PNGChunk(type: "IEND", body: Data()),
        ])
        let error = await refusal(data)
        #expect(error?.code == .limitExceeded)
        let partial = await refusal(data, [.allowPartial])
        #expect(partial?.code == .limitExceeded)
        // The decoder asks the sink, which refuses the picture, before it allocates memory for rows or decodes any.
        let options = DecodeOptions()
        let decoder = try #require(try PNGCoder().decoder(for: ImageBytes(data), options: options))
        let part = decoder.collectedPart()
        #expect((part.failure as? ImageError)?.code == .limitExceeded)
        #expect(part.pixels == nil && part.rowCount == 0)
        // A progressive decoder reports the size, by which the picture is refused, and reads no pixels.
        let head = ImageBytes(PNGChunk.signature)
        let early = try #require(try PNGCoder().progressiveDecoder(for: head, options: options))
        try early.append(data, isLast: true)
        let info = try early.info
        #expect(info.pixelSize == PixelSize(65_535, 65_535))
    }

    @Test func `pixels beyond the last row are refused`() async throws {
        let pixels = PNGChunk(type: "IDAT", body: ZlibStream.zeros())
        let data = PNGChunk.file([header(10, 10), pixels, PNGChunk(type: "IEND", body: Data())])
        let error = await refusal(data)
        #expect(error?.code == .badData)
        #expect(error?.message.contains("Too much image data") == true)
    }

    @Test func `pixels beyond the last row of a frame are refused`() throws {
        var chunks = try PNGChunk.all(of: AnimationFixture.named("animated-opaque").png())
        let place = try #require(chunks.firstIndex { $0.type == "fdAT" })
        chunks[place].body = chunks[place].body.prefix(4) + ZlibStream.zeros()
        let options = DecodeOptions()
        let decoder = try #require(try PNGCoder().decoder(for: ImageBytes(PNGChunk.file(chunks)), options: options))
        let error = #expect(throws: ImageError.self) { try decoder.collected(1) }
        #expect(error?.message.contains("Too much image data") == true)
        let pixels = try decoder.collected(2)
        #expect(pixels.size == PixelSize(8, 1))
    }

    @Test func `a profile that states 100 MB and inflates endlessly is refused`() async throws {
        // A valid header except for the length; there are no tags.
        var start = try Fixture.data("icc.icc").prefix(132)
        start.replaceSubrange(128..<132, with: [0, 0, 0, 0])
        start.replaceSubrange(0..<4, with: PNGChunk.bigEndian(100_000_000))
        let body = Data("name\0\0".utf8) + ZlibStream.zeros(after: start)
        let data = try picture(with: PNGChunk(type: "iCCP", body: body))
        let error = await refusal(data)
        #expect(error?.code == .limitExceeded)
        // For an allowed length, no more than that is read.
        start.replaceSubrange(0..<4, with: PNGChunk.bigEndian(1_000_000))
        let long = PNGChunk(type: "iCCP", body: Data("name\0\0".utf8) + ZlibStream.zeros(after: start))
        let info = try await manager.info(of: picture(with: long))
        guard case .icc(let profile) = info.profile else {
            Issue.record("expected an ICC profile")
            return
        }
        #expect(profile.count == 1_000_000)
    }

    @Test func `an endless profile of zeros is ignored`() async throws {
        let data = try picture(with: PNGChunk(type: "iCCP", body: Data("name\0\0".utf8) + ZlibStream.zeros()))
        let info = try await manager.info(of: data)
        #expect(info.isProfileDamaged && info.profile == .sRGB)
    }

    @Test(arguments: ["zTXt", "iTXt"])
    func `text that inflates endlessly is skipped`(_ type: String) async throws {
        let start = type == "zTXt" ? "Comment\0\0" : "Comment\0\u{1}\0\0\0"
        let data = try picture(with: PNGChunk(type: type, body: Data(start.utf8) + ZlibStream.zeros()))
        let image = try await manager.decode(data, context: [.keepsMetadata])
        let expected = try Fixture.samples8("upright")
        #expect(image.pixels.samples == expected)
        #expect(image.attributes.metadata.isEmpty)
    }

    @Test func `XMP that inflates endlessly is refused if requested`() async throws {
        let start = Data("XML:com.adobe.xmp\0\u{1}\0\0\0".utf8)
        let data = try picture(with: PNGChunk(type: "iTXt", body: start + ZlibStream.zeros()))
        let error = await refusal(data, [.keepsMetadata])
        #expect(error?.code == .limitExceeded)
        let image = try await manager.decode(data)
        let expected = try Fixture.samples8("upright")
        #expect(image.pixels.samples == expected)
    }

    @Test func `many packets damaged at their end are refused if requested`() async throws {
        // A wrong checksum.
        let stream = ZlibStream.zeros(matchCount: 4000) + Data(count: 4)
        let count = 4000 * 258 + 2
        let damaged = PNGChunk(type: "iTXt", body: Data("XML:com.adobe.xmp\0\u{1}\0\0\0".utf8) + stream).data
        let packet = Data("<x:xmpmeta/>".utf8)
        let good = PNGChunk(type: "iTXt", body: Data("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet).data
        let chunks = try PNGChunk.all(of: Fixture.png("rgb8"))
        func file(_ damagedCount: Int) -> Data {
            var data = PNGChunk.file([chunks[0]])
            for _ in 0..<damagedCount { data += damaged }
            data += good
            return chunks[1...].reduce(into: data) { $0 += $1.data }
        }
        let many = await refusal(file(500), [.keepsMetadata])
        #expect(many?.code == .limitExceeded)
        _ = try await manager.decode(file(500))
        // The total of all texts counts.
        let limit = 3 * count + packet.count
        let few = try await manager.info(of: file(3), context: [.keepsMetadata, .maxMetadataBytes(limit)])
        #expect(few.metadata.xmp == packet)
        let beyond = await refusal(file(3), [.keepsMetadata, .maxMetadataBytes(limit - 1)])
        #expect(beyond?.code == .limitExceeded)
    }

    // MARK: Frames

    /// Returns an animation with a number of frames, of which all but the first have one byte and no pixels.
    private func animation(frameCount: Int) throws -> Data {
        let chunks = try PNGChunk.all(of: AnimationFixture.named("animated-opaque").png())
        var data = PNGChunk.file([chunks[0]])
        data += PNGChunk(type: "acTL", body: PNGChunk.bigEndian(frameCount) + PNGChunk.bigEndian(0)).data
        let control = try #require(chunks.first { $0.type == "fcTL" }).body.dropFirst(4)
        let pixels = try #require(chunks.first { $0.type == "IDAT" })
        data += PNGChunk(type: "fcTL", body: PNGChunk.bigEndian(0) + control).data + pixels.data
        for index in 1..<frameCount {
            data += PNGChunk(type: "fcTL", body: PNGChunk.bigEndian(2 * index - 1) + control).data
            data += PNGChunk(type: "fdAT", body: PNGChunk.bigEndian(2 * index) + [0]).data
        }
        return data + PNGChunk(type: "IEND", body: Data()).data
    }

    @Test func `a hundred thousand frames are refused, or read if allowed`() async throws {
        let data = try animation(frameCount: 100_000)
        for context: ImageContext in [[], [.allowPartial], [.firstFrameOnly, .maxFrames(99_999)]] {
            let error = await refusal(data, context)
            #expect(error?.code == .limitExceeded)
        }
        let options = DecodeOptions(ResolvedContext([.maxFrames(100_000), .keepsMetadata]))
        let decoder = try #require(try PNGCoder().decoder(for: ImageBytes(data), options: options))
        let info = try decoder.info
        #expect(info.frameCount == 100_000)
    }

    @Test func `announced frames are refused before any is read`() async throws {
        var chunks = try PNGChunk.all(of: AnimationFixture.named("animated-opaque").png())
        let place = try #require(chunks.firstIndex { $0.type == "acTL" })
        chunks[place].body = PNGChunk.bigEndian(100_000) + PNGChunk.bigEndian(0)
        // The file has only three frames, which counting them would reveal.
        let error = await refusal(PNGChunk.file(chunks))
        #expect(error?.code == .limitExceeded)
        let looking = await refusal(PNGChunk.file(chunks), [.maxFrames(100_000)])
        #expect(looking?.code == .badData)
    }

    // MARK: Chunks

    /// Returns a file with a number of empty chunks of a type before another chunk.
    private func file(_ chunks: [PNGChunk], with type: String, _ count: Int, before place: Int) -> Data {
        let empty = PNGChunk(type: type, body: Data()).data
        var data = PNGChunk.file(Array(chunks[..<place]))
        for _ in 0..<count { data += empty }
        return chunks[place...].reduce(into: data) { $0 += $1.data }
    }

    @Test(arguments: ["teXt", "IDAT"])
    func `more chunks before the pixels than any file needs are refused`(_ type: String) async throws {
        let chunks = try PNGChunk.all(of: Fixture.png("rgb8"))
        let place = try #require(chunks.firstIndex { $0.type == "IDAT" })
        let many = file(chunks, with: type, 100_001, before: place)
        let error = await refusal(many)
        #expect(error?.code == .badData)
        let early = try #require(
            try PNGCoder().progressiveDecoder(for: ImageBytes(PNGChunk.signature), options: DecodeOptions()))
        let earlyError = #expect(throws: ImageError.self) { try early.append(many, isLast: true) }
        #expect(earlyError?.code == .badData)
        let image = try await manager.decode(file(chunks, with: type, 99_000, before: place))
        let expected = try Fixture.samples8("rgb8")
        #expect(image.pixels.samples == expected)
    }

    @Test func `too many chunks after the pixels are refused if they have to be read`() async throws {
        let chunks = try PNGChunk.all(of: Fixture.png("rgb8"))
        let data = file(chunks, with: "teXt", 100_001, before: chunks.count - 1)
        let image = try await manager.decode(data)
        let expected = try Fixture.samples8("rgb8")
        #expect(image.pixels.samples == expected)
        let error = await refusal(data, [.keepsMetadata])
        #expect(error?.code == .badData)
    }

    @Test func `too many chunks among the frames are an error`() async throws {
        let chunks = try PNGChunk.all(of: AnimationFixture.named("animated-opaque").png())
        let place = try #require(chunks.lastIndex { $0.type == "fcTL" })
        let data = file(chunks, with: "teXt", 100_010, before: place)
        let error = await refusal(data)
        #expect(error?.code == .badData)
        #expect(error?.message == "is damaged in frame 2 of 3: there are too many chunks")
    }
}
#endif
