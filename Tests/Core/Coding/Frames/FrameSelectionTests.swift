import CalotypeTesting
import Testing

@testable import Calotype

/// The selection of an animation's frames when fewer are requested.
@Suite(.timeLimit(.minutes(5)))
struct FrameSelectionTests {
    private func select(_ milliseconds: [Int], _ context: ImageContext) -> FrameSelection? {
        FrameSelection(of: milliseconds.map { .milliseconds($0) }, by: ResolvedContext(context))
    }

    @Test func `a rate of ten keeps ten of twenty-five frames a second`() throws {
        let selection = try #require(select(Array(repeating: 40, count: 50), [.frameRate(10)]))
        #expect(selection.indices.count == 20)
        #expect(Array(selection.indices.prefix(5)) == [0, 3, 5, 8, 10])
        #expect(Array(selection.durations.prefix(4)) == [120, 80, 120, 80].map { Duration.milliseconds($0) })
    }

    @Test func `a rate that an animation does not exceed changes nothing`() {
        // Thirty frames a second, in files with a resolution of milliseconds or less.
        #expect(select([33, 33, 34, 33, 33, 34, 33, 33, 34], [.frameRate(30)]) == nil)
        #expect(select([30, 40, 30, 30, 40, 30, 30, 40, 30], [.frameRate(30)]) == nil)
        // Thirty frames a second, by encoders that round down.
        #expect(select(Array(repeating: 33, count: 300), [.frameRate(30)]) == nil)
        #expect(select([100, 100, 100], [.frameRate(10)]) == nil)
        #expect(select([100, 100, 100], []) == nil)
    }

    @Test func `a long frame keeps its duration, and short frames beside it are dropped`() throws {
        let selection = try #require(select([1000, 20, 20, 20, 20, 20, 1000], [.frameRate(10)]))
        #expect(selection.indices == [0, 2, 6])
        #expect(selection.durations == [.milliseconds(1020), .milliseconds(80), .milliseconds(1000)])
    }

    /// Decoding and encoding with the same context selects twice.
    @Test func `selecting twice drops no further frames`() {
        var random = SplitMix64(seed: 3)
        for _ in 0..<500 {
            let times = (0..<Int.random(in: 2...60, using: &random)).map { _ in
                [20, 33, 40, 50, 100, 500].randomElement(using: &random)!
            }
            let context: ImageContext = [.frameRate(Double.random(in: 1...40, using: &random))]
            guard let kept = select(times, context) else { continue }
            let again = FrameSelection(of: kept.durations, by: ResolvedContext(context))
            #expect(again == nil, "\(times) by \(context)")
        }
    }

    @Test(arguments: [(50, 10), (40, 10), (33, 10), (40, 12)], 5...60)
    func `a frame held at the end is kept with its duration`(_ film: (Int, Int), count: Int) throws {
        let times = Array(repeating: film.0, count: count) + [2000]
        for context: ImageContext in [[.frameRate(Double(film.1))], [.frameCount(3)]] {
            let selection = try #require(select(times, context))
            #expect(selection.indices.last == count)
            #expect(selection.durations.last == .milliseconds(2000))
        }
    }

    @Test func `the requested number of frames is kept, evenly spread`() throws {
        #expect(try #require(select(Array(repeating: 10, count: 9), [.frameCount(3)])).indices == [0, 3, 6])
        #expect(try #require(select(Array(repeating: 10, count: 7), [.frameCount(4)])).indices == [0, 1, 3, 5])
        #expect(select([10, 10], [.frameCount(2)]) == nil)
        #expect(try #require(select([10, 20], [.frameCount(0)])).durations == [.milliseconds(30)])
    }

    @Test func `the count applies to the frames that the rate has left`() throws {
        let selection = try #require(
            select(Array(repeating: 50, count: 40), [.frameRate(10), .frameCount(5)]))
        #expect(selection.indices == [0, 8, 16, 24, 32])
    }

    @Test func `infinite durations give positive durations`() throws {
        let times = Array(repeating: Duration.seconds(Int64.max), count: 40)
        for context: ImageContext in [[.frameCount(2)], [.frameRate(0.001)]] {
            guard let selection = FrameSelection(of: times, by: ResolvedContext(context)) else { continue }
            #expect(selection.durations.allSatisfy { $0 > .zero })
        }
    }

    private static let oddRates: [Double] = [
        0, -1, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
    ]

    @Test(arguments: oddRates)
    func `an invalid rate keeps the first frame and the total duration`(rate: Double) {
        let times = Array(repeating: 40, count: 90)
        for context: ImageContext in [[.set(.frameRate, to: rate)], [.frameRate(rate)]] {
            for count in [Int.min, -1, 0, 1, 7, Int.max] {
                let context = context.merging([.set(.frameCount, to: count)])
                guard let selection = select(times, context) else { continue }
                #expect(selection.indices.first == 0)
                #expect(selection.indices.count <= max(1, count))
                #expect(selection.durations.reduce(.zero, +) == .milliseconds(3600))
            }
        }
    }

    @Test(arguments: ["frameRate=0", "frameRate=-1", "frameRate=1e308", "frameCount=0", "frameCount=-1"])
    func `a meaningless number is refused as a named setting`(setting: String) {
        let parts = setting.split(separator: "=").map(String.init)
        #expect(throws: ImageError.self) { try ImageManager().registry.setting(named: parts[0], text: parts[1]) }
    }

    @Test func `the total duration stays the same, whatever is dropped`() {
        var random = SplitMix64(seed: 15)
        for _ in 0..<500 {
            let times = (0..<Int.random(in: 2...60, using: &random)).map { _ in
                Int.random(in: 11...400, using: &random)
            }
            let rate = Double.random(in: 0.5...60, using: &random)
            let count = Int.random(in: 1...60, using: &random)
            guard let selection = select(times, [.frameRate(rate), .frameCount(count)]) else { continue }
            #expect(selection.indices.first == 0)
            #expect(selection.indices.count <= count)
            #expect(zip(selection.indices, selection.indices.dropFirst()).allSatisfy { $0 < $1 })
            #expect(selection.durations.reduce(.zero, +) == .milliseconds(times.reduce(0, +)))
            let seconds = Double(times.reduce(0, +)) / 1000
            // Frames whose duration is nearly an interval are kept.
            #expect(Double(selection.indices.count) <= seconds * rate / 0.98 + 1.5)
        }
    }

    // MARK: Images

    /// Six frames of 20, 21 and up to 25 milliseconds, repeated three times.
    private static let animation = SampleAnimation(Array(repeating: (.source, .keep), count: 6), seed: 3)

    private func image(_ context: ImageContext) async throws -> Image {
        let manager = ImageManager(context: [.off(.imageCache), .imageCoder(RawImageCoder())])
        return try await manager.decode(Self.animation.file, context: context)
    }

    @Test(arguments: [false, true])
    func `selected frames equal those of the file`(preloads: Bool) async throws {
        let all = try #require(try await image([]).frames)
        let reduced = try await image(([.frameCount(3)] as ImageContext).merging(preloads ? [.preloadsFrames] : []))
        let frames = try #require(reduced.frames)
        #expect(frames.frameCount == 3)
        #expect(frames.loopCount == 3)
        #expect((0..<3).map(frames.duration) == [41, 45, 49].map { Duration.milliseconds($0) })
        for index in 0..<3 {
            let (one, other) = (try frames.frame(index, job: Job()), try all.frame(index * 2, job: Job()))
            #expect(one.seenLevels == other.seenLevels)
        }
        let error = await imageError { _ = try frames.frame(3, job: Job()) }
        #expect(error?.code == .noSuchFrame)
    }

    @Test func `dropped frames take no memory`() async throws {
        let all = try await image([.preloadsFrames])
        let kept = all.selectingFrames(as: ResolvedContext([.frameCount(2)]))
        #expect(kept.byteCount == 2 * all.pixels.byteCount)
    }

    @Test func `a single frame is a still`() async throws {
        let still = try await image([.frameCount(1)])
        #expect(!still.isAnimated)
        #expect(still.colors == (try await image([.frame(0)])).colors)
    }

    @Test func `a frame requested by number is counted in the file`() async throws {
        let chosen = try await image([.frame(5), .frameCount(2)])
        #expect(chosen.colors == (try await image([.frame(5)])).colors)
    }

    @Test func `dropped frames do not make the others smaller`() async throws {
        let context: ImageContext = [.scaleDownLimitBytes(13 * 9 * 4 * 2)]
        #expect(try await image(context.merging([.frameCount(2)])).size == PixelSize(13, 9))
        #expect(try await image(context).size.width < 13)
    }

    @Test func `an existing image is cut to the selected frames`() async throws {
        let whole = try await image([])
        for context: ImageContext in [[.frameCount(2)], [.frameRate(10)], [.frameCount(1)]] {
            let options = DecodeOptions(ResolvedContext(context))
            let cut = try whole.cut(to: options, job: Job())
            let decoded = try await image(context)
            #expect(cut.frames?.frameCount == decoded.frames?.frameCount)
            for index in 0..<(cut.frames?.frameCount ?? 0) {
                #expect(cut.frames?.duration(ofFrame: index) == decoded.frames?.duration(ofFrame: index))
            }
        }
        #expect(whole.frames?.frameCount == 6)
    }

    @Test func `a still from which nothing is dropped is stored as the original`() async throws {
        let bench = Bench(context: [.frameRate(10), .frameCount(5)])
        _ = try await bench.manager.image(for: bench.request())
        #expect(bench.data.keys.count == 1)
        #expect(bench.data.keys.first?.isOriginal == true)
    }

    @Test func `a written file has the frames that the context selects`() async throws {
        let coder = RawImageCoder()
        let manager = ImageManager(context: [.off(.imageCache), .imageCoder(coder)])
        let whole = try await image([])
        let file = try await manager.encode(whole, as: RawImageCoder.format, context: [.frameCount(2)])
        #expect(try await manager.info(of: file).frameCount == 2)
    }
}
