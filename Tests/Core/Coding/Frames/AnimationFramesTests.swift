import CalotypeTesting
import Testing

@testable import Calotype

/// The cost of frames, depending on their order and the number of threads.
@Suite(.timeLimit(.minutes(5)))
struct AnimationFramesTests {
    private typealias Rule = AnimationBlendingTests.Rule

    /// The number of bytes in a canvas of 13 x 9 pixels, whose rows are padded to 64.
    static let canvasByteCount = 64 * 9
    /// Budgets for all canvases, for some of them, for one, and for less than one.
    static let budgets = [AnimationPlan.canvasBudget, 5 * canvasByteCount, canvasByteCount, 0]

    /// Twenty frames, each of which depends on the previous one.
    private static let chain = SampleAnimation(
        Array(repeating: (.over, .keep), count: 20), seed: 8, isFull: { $0 == 0 })

    private func makeFrames(
        _ animation: SampleAnimation, _ coder: any ImageCoder, context: ImageContext = [],
        budget: Int = AnimationPlan.canvasBudget
    ) throws -> DecodedFrames {
        try makeFrames(of: animation.file, coder, context: context, budget: budget)
    }

    private func makeFrames(
        of file: Data, _ coder: any ImageCoder, context: ImageContext = [], budget: Int = AnimationPlan.canvasBudget
    ) throws -> DecodedFrames {
        let bytes = ImageBytes(file)
        let options = DecodeOptions(ResolvedContext(context))
        let decoder = try #require(try coder.decoder(for: bytes, options: options))
        let info = try decoder.info
        let first = try DecodedFrame(0, of: info, by: decoder, options: options, job: Job()) { _, _ in nil }
        return try DecodedFrames(
            first, of: info, in: bytes, by: coder, options: options, time: SystemTime(), budget: budget
        ) {
            { _, _ in nil }
        }
    }

    private func levels(_ frames: DecodedFrames, _ index: Int) throws -> [Double] {
        try frames.frame(index, job: Job()).seenLevels
    }

    // MARK: Order

    @Test(arguments: AnimationFramesTests.budgets)
    func `frames are the same in any order`(budget: Int) throws {
        var random = SplitMix64(seed: 2)
        for seed in 0..<10 as Range<UInt64> {
            let rules: [Rule] = (0..<15).map { _ in
                (
                    AnimationBlendingTests.blends.randomElement(using: &random)!,
                    AnimationBlendingTests.disposals.randomElement(using: &random)!
                )
            }
            let animation = SampleAnimation(rules, seed: seed)
            let expected = animation.pictures(isWide: false)
            let frames = try makeFrames(animation, RawImageCoder(), budget: budget)
            let forth = Array(0..<15)
            for index in forth + forth.reversed() + forth.shuffled(using: &random) + forth {
                #expect(try levels(frames, index) == expected[index], "frame \(index) of seed \(seed)")
            }
        }
    }

    @Test(arguments: AnimationFramesTests.budgets)
    func `frames are the same from eight threads at once`(budget: Int) async throws {
        let expected = Self.chain.pictures(isWide: false)
        let frames = try makeFrames(Self.chain, RawImageCoder(), budget: budget)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<8 as Range<UInt64> {
                group.addTask {
                    var random = SplitMix64(seed: thread)
                    let forth = Array(0..<20)
                    let order = thread.isMultiple(of: 2) ? forth + forth : forth.shuffled(using: &random)
                    // Some are retained for a while. Frames that are drawn meanwhile must not be drawn in their memory.
                    var kept: [(index: Int, pixels: PixelBuffer)] = []
                    for index in order {
                        let pixels = try frames.frame(index, job: Job())
                        #expect(pixels.seenLevels == expected[index], "frame \(index)")
                        if index.isMultiple(of: 3) { kept.append((index, pixels)) }
                        if kept.count > 4 { kept.removeFirst() }
                        for (index, pixels) in kept { #expect(pixels.seenLevels == expected[index]) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    // MARK: Cost

    @Test(arguments: AnimationFramesTests.budgets)
    func `frames in order cost one decode each`(budget: Int) throws {
        let coder = RawImageCoder()
        let frames = try makeFrames(Self.chain, coder, budget: budget)
        #expect(coder.decodeCount == 1)
        for index in 0..<20 { _ = try frames.frame(index, job: Job()) }
        #expect(coder.decodeCount == 20, "the first frame is already decoded")
        for index in 0..<20 { _ = try frames.frame(index, job: Job()) }
        #expect(coder.decodeCount == 39)
    }

    @Test func `the first frame is decoded again if it is shown at another size`() throws {
        let coder = RawImageCoder()
        let frames = try makeFrames(Self.chain, coder, context: [.thumbnailPixelSize(5, 5)])
        for index in 0..<20 { _ = try frames.frame(index, job: Job()) }
        #expect(coder.decodeCount == 21)
    }

    @Test func `with room for every canvas each frame costs one decode`() throws {
        let coder = RawImageCoder()
        let frames = try makeFrames(Self.chain, coder)
        // Composing the last frame passes all others.
        _ = try frames.frame(19, job: Job())
        #expect(coder.decodeCount == 20)
        for index in [7, 3, 19, 1, 18, 3] {
            let before = coder.decodeCount
            _ = try frames.frame(index, job: Job())
            #expect(coder.decodeCount == before + 1, "frame \(index)")
        }
    }

    @Test func `playing frames in order keeps only the latest canvas`() throws {
        let coder = RawImageCoder()
        let frames = try makeFrames(Self.chain, coder)
        for index in 0..<20 { _ = try frames.frame(index, job: Job()) }
        let played = coder.decodeCount
        // All frames from the second on, which is drawn on the first one's pixels, are composed. Then canvases are
        // kept.
        _ = try frames.frame(10, job: Job())
        #expect(coder.decodeCount == played + 10)
        _ = try frames.frame(8, job: Job())
        #expect(coder.decodeCount == played + 11)
    }

    @Test func `a frame reuses the memory of the previous one unless that is retained`() throws {
        let frames = try makeFrames(Self.chain, RawImageCoder())
        func place(_ pixels: PixelBuffer) -> UnsafeRawPointer { pixels.withUnsafeBytes { $0.baseAddress! } }
        let first = place(try frames.frame(1, job: Job()))
        let held = try frames.frame(2, job: Job())
        #expect(place(held) == first)
        let levels = held.levels
        #expect(place(try frames.frame(3, job: Job())) != first)
        #expect(held.levels == levels)
    }

    @Test func `with room for some canvases a frame costs the decodes since the last kept one`() throws {
        let coder = RawImageCoder()
        let frames = try makeFrames(Self.chain, coder, budget: 5 * Self.canvasByteCount)
        _ = try frames.frame(19, job: Job())
        // Nineteen frames need a canvas. There is room for five, one of which is the latest, so every fifth frame keeps
        // one. The second frame uses the first one's pixels.
        for (index, cost) in [(4, 4), (14, 5), (15, 1), (16, 1), (12, 3), (12, 3), (5, 1), (1, 1), (0, 0)] {
            let before = coder.decodeCount
            _ = try frames.frame(index, job: Job())
            #expect(coder.decodeCount == before + cost, "frame \(index)")
        }
    }

    @Test func `with room for one canvas an earlier frame costs the decodes from the first`() throws {
        let coder = RawImageCoder()
        let frames = try makeFrames(Self.chain, coder, budget: 0)
        for (index, cost) in [(10, 10), (11, 1), (13, 2), (12, 12), (13, 1)] {
            let before = coder.decodeCount
            _ = try frames.frame(index, job: Job())
            #expect(coder.decodeCount == before + cost, "frame \(index)")
        }
    }

    @Test func `whole frames need no canvas`() throws {
        let animation = SampleAnimation(
            Array(repeating: (.source, .keep), count: 6), seed: 1, isFull: { _ in true })
        let coder = RawImageCoder()
        let frames = try makeFrames(animation, coder)
        #expect(frames.byteCount == animation.file.count)
        for index in [5, 2, 4] { _ = try frames.frame(index, job: Job()) }
        #expect(coder.decodeCount == 4)
    }

    @Test func `a blended frame of full size is independent if it is opaque`() throws {
        let animation = SampleAnimation(
            Array(repeating: (.over, .keep), count: 6), isOpaque: true, seed: 1, isFull: { _ in true })
        let coder = RawImageCoder()
        let frames = try makeFrames(animation, coder)
        #expect(try frames.frame(5, job: Job()).isOpaque)
        #expect(coder.decodeCount == 2)
    }

    @Test func `disposed frames are not decoded on the way to others`() throws {
        for disposal in [FrameInfo.Disposal.background, .previous] {
            var rules = [Rule](repeating: (.over, disposal), count: 10)
            rules[0] = (.source, .keep)
            rules[9] = (.over, .keep)
            let animation = SampleAnimation(rules, seed: 6, isFull: { $0 == 0 })
            let coder = RawImageCoder()
            let frames = try makeFrames(animation, coder)
            #expect(try levels(frames, 9) == animation.pictures(isWide: false)[9])
            #expect(coder.decodeCount == 2, "\(disposal)")
        }
    }

    // MARK: Memory

    @Test func `the memory that frames may use is counted from the start and does not change`() throws {
        let frames = try makeFrames(Self.chain, RawImageCoder(), budget: 5 * Self.canvasByteCount)
        let byteCount = Self.chain.file.count + 5 * Self.canvasByteCount
        #expect(frames.byteCount == byteCount)
        for index in 0..<20 { _ = try frames.frame(index, job: Job()) }
        #expect(frames.byteCount == byteCount)
        // One canvas is kept even if it exceeds the budget.
        let narrow = try makeFrames(Self.chain, RawImageCoder(), budget: 0)
        #expect(narrow.byteCount == Self.chain.file.count + Self.canvasByteCount)
    }

    @Test func `the cost of an animation in a cache is the memory that it may use`() throws {
        let frames = try makeFrames(Self.chain, RawImageCoder())
        let image = Image(
            pixels: try frames.frame(0, job: Job()), frames: frames,
            attributes: Image.Attributes(metadata: ImageMetadata(exif: Data(count: 10), xmp: Data(count: 7))))
        let cost = image.pixels.byteCount + frames.byteCount + 17
        #expect(image.byteCount == cost)
        let cache = BoundedMemoryCache(costLimit: 10 * cost)
        let key = VariantKey(source: SourceKey("a"))
        cache.store(image, for: key)
        #expect(cache.totalCost == cost)
        for index in 0..<20 { _ = try frames.frame(index, job: Job()) }
        cache.remove(key)
        #expect(cache.totalCost == 0)
    }

    // MARK: Bad input

    @Test func `a frame that cannot be decoded is named, and only the frames that depend on it fail`() throws {
        // The fourth frame is damaged. The sixth covers everything.
        var rules = [Rule](repeating: (.over, .keep), count: 7)
        rules[5] = (.source, .keep)
        let animation = SampleAnimation(rules, seed: 5, isFull: { $0 == 0 || $0 == 5 })
        let expected = animation.pictures(isWide: false)
        let frames = try makeFrames(animation, TearingCoder(torn: 3))
        for index in [6, 4, 1, 3, 2, 5, 4, 0] {
            if index == 3 || index == 4 {
                let error = #expect(throws: ImageError.self) { try frames.frame(index, job: Job()) }
                #expect(error?.code == .badData)
                let name = index == 3 ? "frame 3: is torn" : "frame 3, upon which frame 4 builds: is torn"
                #expect(error?.message == name)
                #expect(error?.component == "tearing")
            } else {
                #expect(try levels(frames, index) == expected[index], "frame \(index)")
            }
        }
    }

    /// A coder that breaks off one frame after its first row.
    private struct TearingCoder: ImageCoder {
        let name = "tearing"
        let torn: Int
        private let coder = RawImageCoder()
        var formats: [ImageFormat] { coder.formats }

        init(torn: Int) { self.torn = torn }

        func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
            guard let decoder = try coder.decoder(for: bytes, options: options) else { return nil }
            return Decoder(decoder: decoder, torn: torn)
        }

        private struct Decoder: ImageDecoder {
            let decoder: any ImageDecoder
            let torn: Int

            var info: ImageInfo { get throws { try decoder.info } }

            func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
                guard frame == torn else { return try decoder.decode(frame: frame, into: &sink, job: job) }
                try sink.begin(PixelLayout(size: try info.frames[frame].region.size))
                try sink.row(0) { row in
                    row.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 99) }
                }
                throw ImageError(.badData, stage: .decode, message: "is torn")
            }
        }
    }

    @Test func `a file that is cut off has the frames that are complete`() throws {
        let rules = [Rule](repeating: (.over, .keep), count: 3)
        let animation = SampleAnimation(rules, seed: 5, isFull: { _ in true })
        let expected = animation.pictures(isWide: false)
        let frames = try makeFrames(of: animation.file.dropLast(13 * 4), RawImageCoder())
        #expect(try levels(frames, 1) == expected[1])
        let error = #expect(throws: ImageError.self) { try frames.frame(2, job: Job()) }
        #expect(error?.code == .badData)
        #expect(try levels(frames, 1) == expected[1])
    }

    @Test func `frame indices outside the animation are refused`() throws {
        let frames = try makeFrames(Self.chain, RawImageCoder())
        for index in [-1, 20, Int.max, Int.min] {
            let error = #expect(throws: ImageError.self) { try frames.frame(index, job: Job()) }
            #expect(error?.code == .noSuchFrame)
        }
    }

    // MARK: Misuse

    /// A coder that delivers every frame at half its size, which is not allowed for animations.
    private struct HalvingCoder: ImageCoder {
        private struct Decoder: ImageDecoder {
            let info: ImageInfo

            func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
                let size = PixelSize((info.pixelSize.width + 1) / 2, (info.pixelSize.height + 1) / 2)
                try sink.begin(PixelLayout(size: size))
                for y in 0..<size.height {
                    try sink.row(y) { (row: inout MutableRawSpan) -> Void in
                        row.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 200) }
                    }
                }
            }
        }

        var formats: [ImageFormat] { RawImageCoder().formats }

        func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
            try RawImageCoder().decoder(for: bytes, options: options).map { Decoder(info: try $0.info) }
        }
    }

    @Test func `a first frame of another size is not used as the canvas of the next`() async throws {
        let frames = try makeFrames(Self.chain, HalvingCoder(), context: [.thumbnailPixelSize(7, 5)])
        #expect(try frames.frame(0, job: Job()).size == PixelSize(7, 5))
        let error = await imageError { try frames.frame(1, job: Job()) }
        #expect(error?.message.contains("announced as 7x5") == true, "\(String(describing: error))")
    }

    // MARK: Timeouts

    /// A clock that advances by a second at each reading.
    private final class TickingTime: TimeSource {
        private let ticks = Lock(0)

        func now() -> Duration {
            .seconds(
                ticks.withLock {
                    $0 += 1
                    return $0
                })
        }
        func wallTime() -> Double { 0 }
        func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {}
    }

    @Test(arguments: [AnimationPlan.canvasBudget, 0])
    func `a frame can be stopped at any row, and is right the next time`(budget: Int) throws {
        let expected = Self.chain.pictures(isWide: false)
        let frames = try makeFrames(Self.chain, RawImageCoder(), budget: budget)
        var (stopped, made) = (0, 0)
        for patience in 0..<80 {
            let index = patience % 19 + 1
            do {
                let job = Job(timeout: .seconds(patience), time: TickingTime())
                #expect(try frames.frame(index, job: job).seenLevels == expected[index], "frame \(index)")
                made += 1
            } catch let error as ImageError {
                #expect(error.code == .timedOut)
                stopped += 1
            }
            #expect(try levels(frames, index) == expected[index], "frame \(index), requested again")
        }
        #expect(stopped > 3)
        #expect(made > 5)
    }

    @Test func `a cancelled job gets no frame`() throws {
        let frames = try makeFrames(Self.chain, RawImageCoder())
        let job = Job()
        job.cancel()
        let error = #expect(throws: ImageError.self) { try frames.frame(7, job: job) }
        #expect(error?.code == .cancelled)
        #expect(try levels(frames, 7) == Self.chain.pictures(isWide: false)[7])
    }
}
