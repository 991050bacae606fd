#if PNG
import Calotype
import CalotypePNG
import CalotypeTesting
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PNGProgressiveDecoderTests {
    /// The displayed size of a pixel after each pass.
    private static let blocks = [(8, 8), (4, 8), (4, 4), (2, 4), (2, 2), (1, 2), (1, 1)]

    private func makeDecoder(_ context: ImageContext = [.nativeDepth]) throws -> any ProgressiveDecoder {
        let head = ImageBytes(PNGChunk.signature)
        let options = DecodeOptions(ResolvedContext(context))
        return try #require(try PNGCoder().progressiveDecoder(for: head, options: options))
    }

    private func plainDecoder(_ data: Data, _ context: ImageContext = [.nativeDepth]) throws -> any ImageDecoder {
        let options = DecodeOptions(ResolvedContext(context))
        return try #require(try PNGCoder().decoder(for: ImageBytes(data), options: options))
    }

    /// Feeds a decoder pieces of equal length, and shows the picture after each.
    private func show(
        _ data: Data, inPiecesOf count: Int, by decoder: any ProgressiveDecoder,
        _ body: (_ end: Int, PixelBuffer?) throws -> Void
    ) throws {
        for start in stride(from: 0, to: data.count, by: count) {
            let end = min(data.count, start + count)
            try decoder.append(data[start..<end], isLast: end == data.count)
            try body(end, decoder.shown())
        }
    }

    /// Returns the position of a chunk type's first chunk.
    private func place(of type: String, in data: Data) throws -> Int {
        try #require(data.range(of: Data(type.utf8))).lowerBound - 4
    }

    // MARK: The complete picture

    @Test(arguments: try Fixture.all())
    func `a file in pieces gives the same picture as at once`(_ fixture: Fixture) throws {
        let data = try Fixture.png(fixture.name)
        let plain = try plainDecoder(data)
        let (expected, expectedInfo) = try (plain.collected(), plain.info)
        var random = SplitMix64(seed: UInt64(data.count))
        for longest in [data.count, 200, 9] {
            let decoder = try makeDecoder()
            var start = 0
            while start < data.count {
                let end = min(data.count, start + Int.random(in: 1...longest, using: &random))
                try decoder.append(data[start..<end], isLast: end == data.count)
                if Bool.random(using: &random) { _ = try decoder.shown() }
                start = end
            }
            let pixels = try decoder.collected()
            #expect(pixels.layout == expected.layout)
            #expect(pixels.samples == expected.samples)
            let info = try decoder.info
            #expect(info == expectedInfo)
        }
    }

    // MARK: Incomplete pictures

    @Test(arguments: try Fixture.all().filter { !$0.interlaced })
    func `received rows are exact, and the rest is transparent`(_ fixture: Fixture) throws {
        let data = try Fixture.png(fixture.name)
        let expected = try plainDecoder(data).collected().samples
        let rowLength = fixture.width * 4
        var counts: [Int] = []
        try show(data, inPiecesOf: 7, by: makeDecoder()) { end, pixels in
            guard let pixels else { return }
            let samples = pixels.samples
            // The first sample that differs from the picture's. Samples of transparent black are ambiguous.
            let wrong = samples.indices.first { samples[$0] != expected[$0] } ?? samples.count
            let count = wrong / rowLength
            #expect(samples[(count * rowLength)...].allSatisfy { $0 == 0 }, "after \(end) bytes")
            if pixels.isOpaque { #expect(!fixture.hasAlpha && samples == expected, "after \(end) bytes") }
            counts.append(count)
        }
        #expect(counts == counts.sorted())
        #expect(counts.last == fixture.height)
    }

    @Test func `more bytes give more rows`() throws {
        let data = try Fixture.png("rgba8")
        var counts: Set<Int> = []
        try show(data, inPiecesOf: 50, by: makeDecoder()) { _, pixels in
            guard let pixels else { return }
            let samples = pixels.samples
            counts.insert(samples.lastIndex { $0 != 0 } ?? 0)
        }
        #expect(counts.count > 10)
    }

    @Test(arguments: try Fixture.all().filter { $0.interlaced })
    func `an interlaced picture is shown in blocks that get smaller`(_ fixture: Fixture) throws {
        let data = try Fixture.png(fixture.name)
        let (width, height) = (fixture.width, fixture.height)
        let expected = try plainDecoder(data).collected().words
        // Each pass completes a grid of pixels; positions between them show the pixel to the upper left.
        let passes = Self.blocks.map { blockWidth, blockHeight in
            (0..<width * height).map { place in
                let (x, y) = (place % width, place / width)
                return expected[(y - y % blockHeight) * width + x - x % blockWidth]
            }
        }
        let known = (0..<width * height).map { place in Set(passes.map { $0[place] } + [0]) }
        var seen: Set<Int> = []
        var last: [UInt64] = []
        try show(data, inPiecesOf: 1, by: makeDecoder()) { end, picture in
            guard let picture else { return }
            let pixels = picture.words
            // Most bytes change nothing.
            guard pixels != last else { return }
            last = pixels
            #expect(zip(pixels, known).allSatisfy { $1.contains($0) }, "after \(end) bytes")
            let isCovered = !pixels.contains(0)
            #expect(!picture.isOpaque || (isCovered && !fixture.hasAlpha), "after \(end) bytes")
            seen.formUnion(passes.indices.filter { passes[$0] == pixels })
        }
        #expect(seen == Set(passes.indices))
    }

    @Test(arguments: ["rgba8", "palette8-interlaced-trns", "icc", "orientation-6", "color-cicp-pq-gama-chrm"])
    func `the header is known once the pixels begin, and no earlier`(_ name: String) throws {
        let data = try Fixture.png(name)
        let expected = try plainDecoder(data).info
        let end = try place(of: "IDAT", in: data) + 8
        let decoder = try makeDecoder()
        for count in 1...end {
            try decoder.append(data[count - 1..<count], isLast: false)
            let pixels = try decoder.shown()
            #expect(pixels == nil)
            guard count < end else { continue }
            let error = #expect(throws: ImageError.self) { try decoder.info }
            #expect(error?.code == .incomplete)
        }
        let info = try decoder.info
        #expect(info == expected)
    }

    @Test func `a header with a huge size is reported without allocating memory for it`() throws {
        let decoder = try makeDecoder()
        try decoder.append(Fixture.png("bad-huge-dimensions").dropLast(12), isLast: false)
        let info = try decoder.info
        #expect(info.pixelSize == PixelSize(65_535, 65_535))
    }

    @Test func `after a cancelled job the next one continues with the received data`() throws {
        let data = try Fixture.png("rgb16-interlaced")
        let decoder = try makeDecoder()
        let job = Job()
        job.cancel()
        for start in stride(from: 0, to: data.count, by: 300) {
            let end = min(data.count, start + 300)
            try decoder.append(data[start..<end], isLast: end == data.count)
            let error = #expect(throws: ImageError.self) { try decoder.collected(job: job) }
            #expect(error?.code == .cancelled)
        }
        let pixels = try decoder.collected()
        let expected = try plainDecoder(data).collected()
        #expect(pixels.samples == expected.samples)
    }

    /// A clock that advances by a millisecond at each reading.
    private final class CountingTime: TimeSource {
        private let looks = Atomic(0)

        var lookCount: Int { looks.load(ordering: .relaxed) }

        func now() -> Duration { .milliseconds(looks.wrappingAdd(1, ordering: .relaxed).newValue) }
        func wallTime() -> Double { 0 }
        func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {}
    }

    @Test(arguments: [false, true])
    func `a job is checked within a picture that takes few bytes`(_ isInterlaced: Bool) throws {
        // 16 million 1-bit pixels in 13 KB.
        var header = PNGChunk.bigEndian(4000) + PNGChunk.bigEndian(4000)
        header += [1, 0, 0, 0, isInterlaced ? 1 : 0]
        let chunks = [
            PNGChunk(type: "IHDR", body: header), PNGChunk(type: "IDAT", body: ZlibStream.zeros(matchCount: 7700)),
        ]
        let decoder = try makeDecoder()
        try decoder.append(PNGChunk.file(chunks), isLast: false)
        let short = CountingTime()
        let error = #expect(throws: ImageError.self) {
            try decoder.collected(job: Job(timeout: .milliseconds(5), time: short))
        }
        #expect(error?.code == .timedOut)
        #expect(short.lookCount == 7)
        // The rest is decoded by the next call, for a sink that refuses such a picture.
        let long = CountingTime()
        let refusal = #expect(throws: ImageError.self) {
            try decoder.collected(job: Job(timeout: .seconds(1000), time: long))
        }
        #expect(refusal?.code == .limitExceeded)
        #expect(long.lookCount > 16)
    }

    // MARK: Transparency

    @Test(arguments: ["palette2-trns", "palette8-interlaced-trns", "gray16-trns", "rgb8-trns", "rgba8", "grayalpha8"])
    func `an invalid tRNS chunk has no effect`(_ name: String) throws {
        let chunks = try PNGChunk.all(of: Fixture.png(name))
        let place = try #require(chunks.firstIndex { $0.type == "tRNS" || $0.type == "IDAT" })
        for length in [0, 1, 2, 3, 6, 255, 256, 257] {
            var more = chunks
            more.insert(PNGChunk(type: "tRNS", body: Data(count: length)), at: place)
            let data = PNGChunk.file(more)
            let expected = try plainDecoder(data).collected()
            let decoder = try makeDecoder()
            try decoder.append(data, isLast: true)
            let pixels = try decoder.collected()
            #expect(pixels.layout == expected.layout)
            #expect(pixels.samples == expected.samples, "\(length) bytes")
        }
    }

    // MARK: Animations

    @Test(arguments: try AnimationFixture.all())
    func `an animation is shown as its first frame, when that is the default image`(
        _ fixture: AnimationFixture
    ) throws {
        let data = try fixture.png()
        let isHidden = try place(of: "fcTL", in: data) > place(of: "IDAT", in: data)
        let expected = try fixture.ownSamples()[0].map { fixture.bitDepth == 16 ? $0 : ($0 * 255 + 32895) >> 16 }
        let decoder = try makeDecoder()
        var last: PixelBuffer?
        try show(data, inPiecesOf: 20, by: decoder) { end, pixels in last = pixels }
        #expect(last?.samples == (isHidden ? nil : expected))
        if isHidden {
            let error = #expect(throws: ImageError.self) { try decoder.collected() }
            #expect(error?.code == .incomplete)
            #expect(error?.message == "has no frame that can be shown before the file is complete")
        }
        let info = try decoder.info
        #expect(info.frames.isEmpty)
        #expect(info.loopCount == 1)
    }

    @Test func `more frames than allowed are refused once announced`() throws {
        let data = try AnimationFixture.named("animated-pairs").png()
        let decoder = try makeDecoder([.maxFrames(12)])
        let error = #expect(throws: ImageError.self) { try decoder.append(data, isLast: false) }
        #expect(error?.code == .limitExceeded)
        let allowing = try makeDecoder([.maxFrames(13)])
        try allowing.append(data, isLast: true)
        let pixels = try allowing.shown()
        #expect(pixels != nil)
    }

    // MARK: Damage

    @Test(arguments: [
        "bad-ihdr-crc", "bad-ihdr-length", "bad-zero-width", "bad-illegal-depth", "bad-missing-plte",
        "bad-chunk-length", "bad-signature-only", "bad-idat-crc", "bad-damaged-zlib", "bad-filter-type",
        "bad-too-few-rows", "bad-truncated-idat",
    ])
    func `nothing is decoded after damage`(_ name: String) throws {
        let data = try Fixture.png(name)
        for length in [5, 1000] {
            let decoder = try makeDecoder()
            var failure: ImageError?
            do {
                try show(data, inPiecesOf: length, by: decoder) { _, _ in }
            } catch let error as ImageError {
                failure = error
            }
            #expect(failure?.code == .badData)
            for _ in 0..<2 {
                let shownLater = #expect(throws: ImageError.self) { try decoder.collected() }
                #expect(shownLater?.code == .badData)
                let toldLater = #expect(throws: ImageError.self) { try decoder.info }
                #expect(toldLater?.code == .badData)
            }
        }
    }

    @Test(arguments: ["size-3x3", "size-5x3-gray2-interlaced", "palette2-trns", "gray8-interlaced", "extra-chunks"])
    func `a file that is cut off is shown as far as it goes, until its end is known`(_ name: String) throws {
        let data = try Fixture.png(name)
        let expected = try plainDecoder(data).collected().samples
        for count in 8..<data.count {
            let decoder = try makeDecoder()
            try decoder.append(data.prefix(count), isLast: false)
            _ = try decoder.shown()
            do {
                try decoder.append(Data(), isLast: true)
                let pixels = try decoder.collected()
                #expect(pixels.samples == expected, "\(count) of \(data.count) bytes")
            } catch let error as ImageError {
                // The last twelve bytes are an empty end chunk, without which the file is still complete.
                #expect(count < data.count - 12 && error.code == .badData, "\(count) of \(data.count) bytes: \(error)")
            }
        }
    }

    @Test(arguments: [
        "gray1-interlaced", "rgba16-interlaced", "palette4-interlaced-trns", "icc", "extra-chunks", "animated-pairs",
        "animated-hidden",
    ])
    func `a mutated file is a picture or an error`(_ name: String) throws {
        let data = try Fixture.png(name)
        var random = SplitMix64(seed: UInt64(data.count))
        let allowed: Set<ImageError.Code> = [.badData, .limitExceeded]
        for round in 0..<150 {
            var mutated = data
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                mutated[Int.random(in: 8..<mutated.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if round % 3 != 0 { mutated = PNGChunk.file(PNGChunk.all(of: mutated)) }
            let decoder = try makeDecoder()
            var start = 0
            do {
                while start < mutated.count {
                    let end = min(mutated.count, start + Int.random(in: 1...200, using: &random))
                    try decoder.append(mutated[start..<end], isLast: end == mutated.count)
                    start = end
                    // As in the pipeline, whose limits are checked before any allocation.
                    guard let info = try? decoder.info, info.pixelSize.area < 1 << 20 else { continue }
                    _ = try decoder.shown()
                }
            } catch let error as ImageError {
                #expect(allowed.contains(error.code), "round \(round): \(error)")
            }
        }
    }
}
#endif
