#if PNG
import Calotype
import CalotypePNG
import CalotypeTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PNGAnimationTests {
    private let manager = ImageManager(plugins: [.png], context: [.off(.imageCache)])

    private func decoder(_ data: Data, _ context: ImageContext = []) throws -> any ImageDecoder {
        let options = DecodeOptions(ResolvedContext(context))
        return try #require(try PNGCoder().decoder(for: ImageBytes(data), options: options))
    }

    // MARK: Info

    @Test(arguments: try AnimationFixture.all())
    func `info describes the frames in the file`(_ fixture: AnimationFixture) async throws {
        let info = try await manager.info(of: fixture.png())
        #expect(info.pixelSize == PixelSize(width: fixture.width, height: fixture.height))
        #expect(info.bitDepth == fixture.bitDepth)
        #expect(info.hasAlpha == fixture.hasAlpha)
        #expect(info.loopCount == fixture.loopCount)
        #expect(info.frames == fixture.frameInfos)
    }

    // MARK: Pixels

    @Test(arguments: try AnimationFixture.all())
    func `each frame is decoded as stored, in any order`(_ fixture: AnimationFixture) throws {
        let decoder = try decoder(fixture.png(), [.nativeDepth])
        let expected = try fixture.ownSamples()
        for index in expected.indices.reversed() {
            let pixels = try decoder.collected(index)
            let isDeep = fixture.bitDepth == 16
            let samples = isDeep ? expected[index] : expected[index].map { ($0 * 255 + 32895) >> 16 }
            #expect(pixels.size == fixture.frames[index].region.size)
            #expect(pixels.format == (isDeep ? .rgba16 : .rgba8))
            #expect(pixels.samples == samples, "frame \(index)")
            let alphas = stride(from: 3, to: samples.count, by: 4).map { samples[$0] }
            #expect(!pixels.isOpaque || alphas.allSatisfy { $0 == (isDeep ? 65535 : 255) })
        }
        for index in [-1, expected.count] {
            let error = #expect(throws: ImageError.self) { try decoder.collected(index) }
            #expect(error?.code == .noSuchFrame)
        }
    }

    @Test(arguments: try AnimationFixture.all())
    func `frames are composed as specified`(_ fixture: AnimationFixture) async throws {
        let canvases = try fixture.canvases()
        let image = try await manager.decode(fixture.png())
        #expect(image.isAnimated == (canvases.count > 1))
        for (index, canvas) in canvases.enumerated() {
            let pixels = try image.frames?.frame(index, job: Job()) ?? image.pixels
            #expect(AnimationFixture.difference(pixels, canvas) < 2, "frame \(index)")
            let single = try await manager.decode(fixture.png(), context: [.frame(index)])
            #expect(AnimationFixture.difference(single.pixels, canvas) < 2, "frame \(index) alone")
        }
    }

    @Test func `16-bit frames keep their depth on the canvas`() async throws {
        for name in ["animated-pairs-16", "animated-rgb16-keyed"] {
            let fixture = try AnimationFixture.named(name)
            let image = try await manager.decode(fixture.png(), context: [.nativeDepth])
            let frames = try #require(image.frames)
            for (index, canvas) in try fixture.canvases().enumerated() {
                let pixels = try frames.frame(index, job: Job())
                #expect(pixels.format == .rgba16)
                // A few levels of 65,535.
                #expect(AnimationFixture.difference(pixels, canvas) < 0.02, "\(name), frame \(index)")
            }
        }
    }

    @Test func `all frames have the depth of the first, also with color conversion`() throws {
        // 16-bit still images are then delivered in full, and are rounded after the conversion.
        var chunks = try PNGChunk.all(of: AnimationFixture.named("animated-pairs-16").png())
        chunks.insert(PNGChunk(type: "gAMA", body: PNGChunk.bigEndian(55556)), at: 1)
        var options = DecodeOptions()
        options.convertsColors = true
        let decoder = try #require(
            try PNGCoder().decoder(for: ImageBytes(PNGChunk.file(chunks)), options: options))
        for index in 0..<3 {
            let pixels = try decoder.collected(index)
            #expect(pixels.format == .rgba8)
        }
    }

    // MARK: Animations that are still images

    @Test func `an announced animation that has only the default image is a still`() async throws {
        let fixture = try AnimationFixture.named("animated-still")
        let image = try await manager.decode(fixture.png())
        #expect(!image.isAnimated)
    }

    /// A change to the animation `animated-opaque`, which has three frames.
    struct Change: Sendable, CustomTestStringConvertible {
        let name: String
        /// A part of the error message.
        var message = ""
        /// The number of frames before it.
        var frameCount = 1
        let make: @Sendable (inout [PNGChunk]) throws -> Void

        var testDescription: String { name }

        func changed() throws -> Data {
            var chunks = try PNGChunk.all(of: AnimationFixture.named("animated-opaque").png())
            try make(&chunks)
            return PNGChunk.file(chunks)
        }
    }

    /// Changes that invalidate the announcement of an animation.
    static let announcements = [
        Change(name: "no frames") { try $0.change("acTL", at: 0, to: [0, 0, 0, 0]) },
        Change(name: "a frame count beyond the range") { try $0.change("acTL", at: 0, to: [0x80, 0, 0, 0]) },
        Change(name: "a play count beyond the range") { try $0.change("acTL", at: 4, to: [0xFF, 0xFF, 0xFF, 0xFF]) },
        Change(name: "a short acTL") { chunks in
            let place = try #require(chunks.firstIndex { $0.type == "acTL" })
            chunks[place].body.removeLast()
        },
        Change(name: "acTL after the pixels") { chunks in
            let place = try #require(chunks.firstIndex { $0.type == "acTL" })
            let chunk = chunks.remove(at: place)
            chunks.insert(chunk, at: chunks.count - 1)
        },
        Change(name: "no acTL") { chunks in chunks.removeAll { $0.type == "acTL" } },
        Change(name: "the first sequence number is not 0") { try $0.change("fcTL", at: 0, to: [0, 0, 0, 1]) },
        Change(name: "the first frame is smaller than the default image") { try $0.change("fcTL", at: 7, to: [7]) },
        Change(name: "the first frame is elsewhere") { try $0.change("fcTL", at: 12, to: [0x7F, 0xFF, 0xFF, 0xFF]) },
        Change(name: "an undefined disposal") { try $0.change("fcTL", at: 24, to: [3]) },
        Change(name: "an undefined blend") { try $0.change("fcTL", at: 25, to: [2]) },
    ]

    @Test(arguments: PNGAnimationTests.announcements)
    func `an animation damaged before its first frame is the default image`(_ change: Change) async throws {
        let data = try change.changed()
        let info = try await manager.info(of: data)
        #expect(info.frames.isEmpty)
        #expect(info.loopCount == 1)
        let image = try await manager.decode(data)
        let canvases = try AnimationFixture.named("animated-opaque").canvases()
        #expect(AnimationFixture.difference(image.pixels, canvases[0]) == 0)
    }

    @Test func `an acTL chunk with a wrong checksum is ignored`() async throws {
        var data = try AnimationFixture.named("animated-opaque").png()
        // After the signature, IHDR, and all of acTL except its checksum.
        data[8 + 25 + 16] ^= 1
        let info = try await manager.info(of: data)
        #expect(info.frames.isEmpty)
    }

    @Test func `the first of two acTL chunks is used`() async throws {
        let fixture = try AnimationFixture.named("animated-opaque")
        var chunks = try PNGChunk.all(of: fixture.png())
        chunks.insert(PNGChunk(type: "acTL", body: PNGChunk.bigEndian(1) + PNGChunk.bigEndian(9)), at: 2)
        let info = try await manager.info(of: PNGChunk.file(chunks))
        #expect(info.frames == fixture.frameInfos)
        #expect(info.loopCount == 0)
    }

    @Test func `frames beyond the announced count are not read`() async throws {
        let fixture = try AnimationFixture.named("animated-pairs")
        var chunks = try PNGChunk.all(of: fixture.png())
        try chunks.change("acTL", at: 0, to: [0, 0, 0, 4])
        let info = try await manager.info(of: PNGChunk.file(chunks))
        #expect(info.frames == Array(fixture.frameInfos.prefix(4)))
    }

    // MARK: Damage

    /// Faults after the first frame.
    static let faults = [
        Change(name: "a frame is empty", message: "frame 2 of 3: its frame control chunk is invalid") {
            try $0.change("fcTL", 1, at: 4, to: [0, 0, 0, 0])
        },
        Change(name: "a frame begins outside", message: "frame 2 of 3: its frame control chunk is invalid") {
            try $0.change("fcTL", 1, at: 12, to: [0, 0, 0, 8])
        },
        Change(
            name: "a frame ends outside", message: "frame 3 of 3: its frame control chunk is invalid", frameCount: 2
        ) {
            try $0.change("fcTL", 2, at: 16, to: [0, 0, 0, 6])
        },
        Change(name: "a frame's position overflows", message: "frame 2 of 3: its frame control chunk is invalid") {
            try $0.change("fcTL", 1, at: 12, to: [0xFF, 0xFF, 0xFF, 0xFF])
        },
        Change(
            name: "an undefined disposal", message: "frame 3 of 3: its frame control chunk is invalid", frameCount: 2
        ) {
            try $0.change("fcTL", 2, at: 24, to: [9])
        },
        Change(
            name: "a frame's sequence number is wrong", message: "frame 3 of 3: a chunk before it is missing",
            frameCount: 2
        ) {
            try $0.change("fcTL", 2, at: 3, to: [7])
        },
        Change(
            name: "the sequence number of pixels is wrong", message: "frame 2 of 3: pixels are missing or out of order"
        ) {
            try $0.change("fdAT", at: 3, to: [7])
        },
        Change(name: "a frame has no pixels", message: "frame 2 of 3: it has no pixels") { try $0.remove("fdAT", 0) },
        Change(name: "the last frame has no pixels", message: "frame 3 of 3: it has no pixels", frameCount: 2) {
            try $0.remove("fdAT", 1)
        },
        Change(name: "a frame's chunks are empty", message: "frame 2 of 3: it has no pixels") { chunks in
            let place = try #require(chunks.firstIndex { $0.type == "fdAT" })
            chunks[place].body = chunks[place].body.prefix(4)
        },
        Change(name: "a frame is missing", message: "frame 1 of 3: pixels are missing or out of order") {
            try $0.remove("fcTL", 1)
        },
        Change(name: "fewer frames than announced", message: "frame 4 of 4: it is missing", frameCount: 3) {
            try $0.change("acTL", at: 3, to: [4])
        },
        Change(name: "pixels have no sequence number", message: "frame 2 of 3: pixels have no sequence number") {
            chunks in
            let place = try #require(chunks.firstIndex { $0.type == "fdAT" })
            chunks[place].body = chunks[place].body.prefix(3)
        },
        Change(
            name: "more pixels of the default image",
            message: "frame 2 of 3: it contains a chunk of another kind"
        ) { chunks in
            let place = try #require(chunks.firstIndex { $0.type == "fdAT" })
            chunks.insert(PNGChunk(type: "IDAT", body: Data()), at: place + 1)
        },
    ]

    @Test(arguments: PNGAnimationTests.faults)
    func `damage in a later frame is an error, or leaves the frames before it`(_ fault: Change) async throws {
        let fixture = try AnimationFixture.named("animated-opaque")
        let data = try fault.changed()
        let error = await #expect(throws: ImageError.self) { try await manager.info(of: data) }
        #expect(error?.code == .badData)
        #expect(error?.message == "is damaged in \(fault.message)")

        let image = try await manager.decode(data, context: [.allowPartial])
        #expect(image.attributes.isPartial)
        let canvases = try fixture.canvases()
        #expect(image.frames?.frameCount ?? 1 == fault.frameCount)
        for index in 0..<fault.frameCount {
            let pixels = try image.frames?.frame(index, job: Job()) ?? image.pixels
            #expect(AnimationFixture.difference(pixels, canvases[index]) == 0, "frame \(index)")
        }
        // A single frame on request is not a partial image.
        let first = try await manager.decode(data, context: [.allowPartial, .firstFrameOnly])
        #expect(!first.attributes.isPartial)
    }

    @Test func `small frames of a large canvas are refused before memory is taken`() async throws {
        var chunks = try PNGChunk.all(of: AnimationFixture.named("animated-opaque").png())
        // 16,000 pixels a side: each picture would take a gigabyte.
        let side: [UInt8] = [0, 0, 0x3E, 0x80]
        try chunks.change("IHDR", at: 0, to: side + side)
        try chunks.change("fcTL", at: 4, to: side + side)
        let data = PNGChunk.file(chunks)
        let contexts: [ImageContext] = [[], [.frame(2)], [.thumbnailPixelSize(64, 64)]]
        for context in contexts {
            let error = await #expect(throws: ImageError.self) { try await manager.info(of: data, context: context) }
            #expect(error?.code == .limitExceeded)
            #expect(error?.advice?.contains("maxPixels") == true)
        }
        let first = try await manager.info(of: data, context: [.firstFrameOnly])
        #expect(first.pixelSize == PixelSize(16_000, 16_000))
    }

    @Test func `a critical chunk within a frame is an error, and others are ignored`() async throws {
        let fixture = try AnimationFixture.named("animated-pieces")
        let chunks = try PNGChunk.all(of: fixture.png())
        // Between the first two chunks of frame 2, and the last two of the last frame.
        let places = [chunks.firstIndex { $0.type == "fdAT" }, chunks.lastIndex { $0.type == "fdAT" }.map { $0 - 1 }]
        for (place, frame) in zip(places, [2, 13]) {
            let place = try #require(place)
            for type in ["ABCD", "IDAT", "PLTE"] {
                var damaged = chunks
                damaged.insert(PNGChunk(type: type, body: Data(count: 3)), at: place + 1)
                let error = #expect(throws: ImageError.self) { try decoder(PNGChunk.file(damaged)) }
                #expect(error?.code == .badData)
                #expect(
                    error?.message == "is damaged in frame \(frame) of 13: it contains a chunk of another kind")
            }
            var other = chunks
            other.insert(PNGChunk(type: "abCd", body: Data(count: 3)), at: place + 1)
            let pixels = try decoder(PNGChunk.file(other)).collected(frame - 1)
            let expected = try fixture.ownSamples()[frame - 1]
            #expect(pixels.samples == expected.map { ($0 * 255 + 32895) >> 16 })
        }
    }

    @Test(arguments: [
        "animated-rgb16-keyed", "animated-gray-keyed", "animated-palette", "animated-pairs", "animated-opaque",
    ])
    func `an invalid tRNS chunk has no effect on frames`(_ name: String) throws {
        let fixture = try AnimationFixture.named(name)
        let expected = try fixture.ownSamples()
        let chunks = try PNGChunk.all(of: fixture.png())
        let place = try #require(chunks.firstIndex { $0.type == "tRNS" || $0.type == "IDAT" })
        // For a palette of 16 colors, a shorter chunk is valid.
        for length in name == "animated-palette" ? [0, 17, 257] : [0, 1, 3, 257] {
            var more = chunks
            more.insert(PNGChunk(type: "tRNS", body: Data(count: length)), at: place)
            let decoder = try decoder(PNGChunk.file(more), [.nativeDepth])
            for index in expected.indices {
                let samples = try decoder.collected(index).samples
                let isDeep = fixture.bitDepth == 16
                #expect(samples == (isDeep ? expected[index] : expected[index].map { ($0 * 255 + 32895) >> 16 }))
            }
        }
    }

    @Test func `damaged pixels are an error only of their frame`() throws {
        let fixture = try AnimationFixture.named("animated-pieces")
        let expected = try fixture.ownSamples()
        var data = try fixture.png()
        // The checksum of the last pixel chunk, which follows all pixels.
        let last = try #require(data.range(of: Data("fdAT".utf8), options: .backwards))
        data[last.upperBound + 5] ^= 1
        let decoder = try decoder(data)
        let error = #expect(throws: ImageError.self) { try decoder.collected(12) }
        #expect(error?.code == .badData)
        #expect(error?.message.contains("of frame 13: a checksum is wrong") == true)
        let pixels = try decoder.collected(11)
        #expect(pixels.samples == expected[11].map { ($0 * 255 + 32895) >> 16 })
    }

    @Test func `the checksum of each chunk of a frame is verified`() throws {
        let fixture = try AnimationFixture.named("animated-pieces")
        let data = try fixture.png()
        var places: [Int] = []
        var start = data.startIndex
        while let range = data[start...].range(of: Data("fdAT".utf8)) {
            places.append(range.lowerBound)
            start = range.upperBound
        }
        #expect(places.count == 12 * 5)
        for (index, place) in places.enumerated() {
            let length = data[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }
            var damaged = data
            damaged[place + 4 + length] ^= 0x80
            let decoder = try decoder(damaged)
            let error = #expect(throws: ImageError.self) { try decoder.collected(1 + index / 5) }
            #expect(error?.code == .badData)
        }
    }

    // MARK: Truncation

    @Test(arguments: ["animated-opaque", "animated-hidden", "animated-pieces", "animated-tiny-interlaced"])
    func `an animation that is cut off is an error, or has the frames before the end`(_ name: String) throws {
        let fixture = try AnimationFixture.named(name)
        let data = try fixture.png()
        let infos = fixture.frameInfos
        let expected = try fixture.ownSamples().map { frame in frame.map { ($0 * 255 + 32895) >> 16 } }
        var counts: [Int] = []
        for count in stride(from: 8, to: data.count, by: data.count > 2000 ? 7 : 1) {
            let part = Data(data.prefix(count))
            // The end is reached as soon as it can be recognized.
            let isWhole = count >= data.count - 4
            do {
                let decoder = try decoder(part)
                let info = try decoder.info
                #expect(isWhole && info.frames == infos, "\(count) of \(data.count) bytes")
            } catch let error as ImageError {
                #expect(!isWhole && error.code == .badData, "\(count) of \(data.count) bytes: \(error)")
            }
            guard !isWhole, let decoder = try? decoder(part, [.allowPartial]), let info = try? decoder.info else {
                continue
            }
            counts.append(info.frames.count)
            #expect(info.frames == Array(infos.prefix(info.frames.count)))
            for index in info.frames.indices.dropFirst() {
                let pixels = try decoder.collected(index)
                #expect(pixels.samples == expected[index], "frame \(index) of \(count) bytes")
            }
            #expect(info.lacksFrames)
            let first = decoder.collectedPart()
            if info.frames.count > 1 {
                #expect(first.failure == nil && first.pixels?.samples == expected[0])
            } else if let failure = first.failure {
                #expect((failure as? ImageError)?.code == .badData)
            }
        }
        #expect(counts == counts.sorted())
        #expect(counts.last == infos.count - 1)
    }
}

extension [PNGChunk] {
    /// Changes bytes of a chunk of a type, the first one by default.
    fileprivate mutating func change(_ type: String, _ number: Int = 0, at offset: Int, to bytes: [UInt8]) throws {
        let place = try #require(indices.filter { self[$0].type == type }.dropFirst(number).first)
        self[place].body.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }

    /// Removes a chunk of a type.
    fileprivate mutating func remove(_ type: String, _ number: Int) throws {
        let place = try #require(indices.filter { self[$0].type == type }.dropFirst(number).first)
        remove(at: place)
    }
}
#endif
