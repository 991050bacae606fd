import CalotypeTesting
import Testing

@testable import Calotype

/// The choice between decoding on the caller's thread and on the lane.
@Suite(.timeLimit(.minutes(5)))
struct DecodingHereTests {
    private func pureCoder(window: CallWindow? = nil) -> ThreadNotingCoder {
        ThreadNotingCoder(RawImageCoder(isPureComputation: true), window: window)
    }

    /// Returns a coder of one picture of a size, which declares that it only computes.
    private static func scriptedCoder(
        _ size: PixelSize = PixelSize(4, 3), readsInPieces: Bool = false, workingByteCount: Int = 0
    ) throws -> ThreadNotingCoder {
        let pixels = try PixelBuffer.drawn(size, isOpaque: true) { _, _ in [10, 20, 30, 255] }
        return ThreadNotingCoder(
            ScriptedCoder(conduct: .whole, pixels: pixels), isPureComputation: true, readsInPieces: readsInPieces,
            workingByteCount: workingByteCount)
    }

    // MARK: Callers

    @Test func `a small cached picture is decoded on the caller's thread`() async throws {
        let coder = pureCoder()
        let bench = HereBench(coder)
        try await bench.keep()
        let (own, response) = try await Caller.pool.call {
            let own = ThreadNote.current
            return (own, try await bench.manager.response(for: HereBench.request))
        }
        #expect(response.source == .disk)
        #expect(response.image.size == PixelSize(8, 6))
        #expect(own.name != HereBench.laneName)
        #expect(coder.decoderThreads == [own])
        #expect(coder.decodeThreads == [own])
        await bench.expectOneDecode()
    }

    @Test func `a small cached picture is decoded before the caller suspends`() async throws {
        let window = CallWindow()
        let coder = pureCoder(window: window)
        let bench = HereBench(coder)
        try await bench.keep()
        let found = Lock<ImageResponse?>(nil)
        let task = window.begin {
            let response = try? await bench.manager.response(for: HereBench.request)
            found.withLock { $0 = response }
        }
        #expect(found.withLock { $0 } != nil)
        await task.value
        #expect(coder.windowCount == 1)
    }

    @Test func `a small picture that was loaded is decoded on a thread of the pool`() async throws {
        let coder = pureCoder()
        let bench = HereBench(coder)
        try bench.serve()
        let response = try await Caller.pool.call { try await bench.manager.response(for: HereBench.request) }
        #expect(response.source == .loader)
        #expect(coder.decodeThreads.count == 1)
        #expect(coder.decodeThreads.allSatisfy { $0.name != HereBench.laneName })
        await bench.expectOneDecode()
    }

    @Test(arguments: Caller.named, [false, true])
    func `nothing is decoded on the thread of an actor or executor`(caller: Caller, isKept: Bool) async throws {
        let coder = pureCoder()
        let bench = HereBench(coder)
        if isKept { try await bench.keep() } else { try bench.serve() }
        let own = try await caller.call {
            _ = try await bench.manager.response(for: HereBench.request)
            return ThreadNote.current
        }
        #expect(own.name == caller.threadName)
        #expect(coder.decodeThreads.count == 1)
        #expect(coder.decodeThreads.allSatisfy { $0.name != caller.threadName })
        await bench.expectOneDecode()
    }

    @MainActor
    @Test func `decoding does not block the main actor`() async throws {
        let window = CallWindow()
        let coder = pureCoder(window: window)
        let data = ImmediateDataCache(window: window)
        let bench = HereBench(coder, data: data)
        try await bench.keep()
        await window.beginOnMainActor { _ = try? await bench.manager.response(for: HereBench.request) }.value
        #expect(coder.decodeThreads.count == 1)
        #expect(coder.windowCount == 0)
        #expect(!data.immediateReads.contains { $0.isInWindow })
        await bench.expectOneDecode()
    }

    // MARK: Lanes

    private func makeLanes() -> Lanes {
        Lanes(Concurrency(), undecoded: Backlog(limit: .max), unfinished: Backlog(limit: .max))
    }

    @Test func `work that may start on the caller's thread runs there once`() async throws {
        let lanes = makeLanes()
        let threads = Lock<[ThreadNote]>([])
        let own = try await Caller.pool.call {
            try await lanes.decodeOnBudget(for: Demand(.normal), costHere: 100) { _, admission in
                threads.withLock { $0.append(.current) }
                try admission.take(100)
            }
            return ThreadNote.current
        }
        #expect(threads.withLock { $0 } == [own])
        #expect(lanes.decodingGate.takenCost == 0)
    }

    @Test(arguments: Caller.others)
    func `work of an isolated caller, or one with an executor, runs on the lane`(caller: Caller) async throws {
        let lanes = makeLanes()
        let threads = Lock<[ThreadNote]>([])
        try await caller.call {
            try await lanes.decodeOnBudget(for: Demand(.normal), costHere: 100) { _, admission in
                threads.withLock { $0.append(.current) }
                try admission.take(100)
            }
        }
        #expect(threads.withLock { $0 }.map(\.name) == [HereBench.laneName])
    }

    @Test func `work that costs too much is stopped, and restarts on the lane without a ceiling`() async throws {
        let lanes = makeLanes()
        let attempts = Lock<[(thread: ThreadNote, isLimited: Bool)]>([])
        let own = try await Caller.pool.call {
            let own = ThreadNote.current
            try await lanes.decodeOnBudget(for: Demand(.normal), costHere: 100) { _, admission in
                attempts.withLock { $0.append((thread: .current, isLimited: admission.isLimited)) }
                try admission.take(101)
            }
            return own
        }
        let found = attempts.withLock { $0 }
        try #require(found.count == 2)
        #expect(found[0].thread == own)
        #expect(found[1].thread.name == HereBench.laneName)
        #expect(found.map { $0.isLimited } == [true, false])
    }

    @Test func `all work runs on the lane if inline work is not allowed`() async throws {
        let lanes = makeLanes()
        let thread = try await Caller.pool.call {
            try await lanes.decodeOnBudget(for: Demand(.normal)) { _, _ in ThreadNote.current }
        }
        #expect(thread.name == HereBench.laneName)
    }

    // MARK: Coders

    @Test func `a coder that may block is used only on the lane`() async throws {
        let coder = ThreadNotingCoder(RawImageCoder())
        let bench = HereBench(coder)
        try await bench.keep()
        _ = try await Caller.pool.call { try await bench.manager.response(for: HereBench.request) }
        #expect(coder.decoderThreads.map(\.name) == [HereBench.laneName])
        #expect(coder.decodeThreads.map(\.name) == [HereBench.laneName])
        await bench.expectOneDecode()
    }

    @Test(arguments: [false, true])
    func `a coder that may block does not matter for files of other formats`(isAskedFirst: Bool) async throws {
        let foreign = try ThreadNotingCoder(Self.scriptedCoder(), isPureComputation: false)
        let coder = pureCoder()
        let bench = isAskedFirst ? HereBench(coder, foreign) : HereBench(foreign, coder)
        try await bench.keep()
        let own = try await Caller.pool.call {
            let own = ThreadNote.current
            _ = try await bench.manager.response(for: HereBench.request)
            return own
        }
        #expect(coder.decodeThreads == [own])
        #expect(foreign.decoderThreads.isEmpty)
        await bench.expectOneDecode()
    }

    @Test func `a coder that may block and names no formats sends all files to the lane`() async throws {
        let foreign = try ThreadNotingCoder(Self.scriptedCoder(), formats: [], isPureComputation: false)
        let coder = pureCoder()
        let bench = HereBench(coder, foreign)
        try await bench.keep()
        _ = try await Caller.pool.call { try await bench.manager.response(for: HereBench.request) }
        #expect(foreign.decoderThreads.map(\.name) == [HereBench.laneName])
        #expect(coder.decoderThreads.map(\.name) == [HereBench.laneName])
        #expect(coder.decodeThreads.map(\.name) == [HereBench.laneName])
        await bench.expectOneDecode()
    }

    @Test func `a non-blocking coder without formats is used inline`() async throws {
        let foreign = try ThreadNotingCoder(Self.scriptedCoder(), formats: [])
        let coder = pureCoder()
        let bench = HereBench(coder, foreign)
        try await bench.keep()
        let own = try await Caller.pool.call {
            let own = ThreadNote.current
            _ = try await bench.manager.response(for: HereBench.request)
            return own
        }
        #expect(foreign.decoderThreads == [own])
        #expect(coder.decodeThreads == [own])
    }

    @Test func `a coder that may block sends its format to the lane, even if another is asked first`() async throws {
        let blocking = ThreadNotingCoder(RawImageCoder())
        let coder = pureCoder()
        let bench = HereBench(blocking, coder)
        try await bench.keep()
        _ = try await Caller.pool.call { try await bench.manager.response(for: HereBench.request) }
        #expect(coder.decodeThreads.map(\.name) == [HereBench.laneName])
        #expect(blocking.decoderThreads.isEmpty)
        await bench.expectOneDecode()
    }

    @Test(arguments: [[], [RecordingCoder.lossy]] as [[ImageFormat]])
    func `a coder whose formats have no signature is used on the lane`(formats: [ImageFormat]) async throws {
        let coder = ThreadNotingCoder(RawImageCoder(), formats: formats)
        let bench = HereBench(coder)
        try await bench.keep()
        let response = try await Caller.pool.call { try await bench.manager.response(for: HereBench.request) }
        #expect(response.source == .disk)
        #expect(coder.decodeThreads.map(\.name) == [HereBench.laneName])
        await bench.expectOneDecode()
    }

    // MARK: Pictures

    /// A picture, and whether it is decoded on the caller's thread.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var size = PixelSize(4, 3)
        /// The length of its file; nil for the minimum.
        var byteCount: Int?
        /// The working memory that its decoder declares.
        var workingByteCount = 0
        var context: ImageContext = []
        let isDecodedHere: Bool

        var file: Data {
            let file = ScriptedCoder.file
            return file + Data(count: max(0, (byteCount ?? 0) - file.count))
        }
    }

    static let cases = [
        Case(testDescription: "a file of 64 KiB", byteCount: 65_536, isDecodedHere: true),
        Case(testDescription: "a longer one", byteCount: 65_537, isDecodedHere: false),
        Case(testDescription: "pixels of 512 KiB", size: PixelSize(512, 256), isDecodedHere: true),
        Case(testDescription: "more pixels", size: PixelSize(512, 257), isDecodedHere: false),
        Case(
            testDescription: "more pixels of which few are wanted", size: PixelSize(512, 257),
            context: [.thumbnailPixelSize(16, 16)], isDecodedHere: false),
        Case(testDescription: "memory for the decoder", workingByteCount: 500 << 10, isDecodedHere: true),
        Case(testDescription: "more memory for the decoder", workingByteCount: 512 << 10, isDecodedHere: false),
    ]

    @Test(arguments: cases)
    func `only small pictures are decoded inline, and in a single step`(_ picture: Case) async throws {
        let coder = try Self.scriptedCoder(picture.size, workingByteCount: picture.workingByteCount)
        let bench = HereBench(coder)
        try await bench.keep(picture.file)
        let request = ImageRequest("fake://host/picture", context: picture.context)
        let (own, response) = try await Caller.pool.call {
            let own = ThreadNote.current
            return (own, try await bench.manager.response(for: request))
        }
        #expect(response.source == .disk)
        try #require(coder.decodeThreads.count == 1)
        if picture.isDecodedHere {
            #expect(coder.decodeThreads == [own])
        } else {
            #expect(coder.decodeThreads.map(\.name) == [HereBench.laneName])
        }
        await bench.expectOneDecode()
    }

    @Test(arguments: [[], [.frame(1)]] as [ImageContext])
    func `animations are decoded on the lane`(context: ImageContext) async throws {
        var header = RawImageCoder.Header(width: 8, height: 6)
        header.frameCount = 2
        let file = RawImageCoder.file(header) { x, y, frame in SIMD4(UInt8(x), UInt8(y), UInt8(frame), 255) }
        let coder = pureCoder()
        let bench = HereBench(coder)
        try await bench.keep(file)
        let request = ImageRequest("fake://host/picture", context: context)
        let image = try await Caller.pool.call { try await bench.manager.image(for: request) }
        #expect(image.size == PixelSize(8, 6))
        #expect(!coder.decodeThreads.isEmpty)
        #expect(coder.decodeThreads.allSatisfy { $0.name == HereBench.laneName })
        await bench.expectOneDecode()
    }

    /// A loader of a file that is not in memory.
    private struct SourceLoader: ImageLoader {
        let source: ScriptedSource

        func canLoad(_ request: LoadRequest) -> Bool { true }

        @concurrent
        func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
            try await sink.begin(LoadHead(expectedByteCount: source.byteCount))
            try await sink.take(source)
            return .complete
        }
    }

    @Test(arguments: [false, true])
    func `a file that is not in memory is decoded on the lane`(isInMemory: Bool) async throws {
        let coder = try Self.scriptedCoder(PixelSize(8, 6), readsInPieces: true)
        let bench = HereBench(coder, context: [.off(.imageCache)])
        if isInMemory {
            try bench.serve(ScriptedCoder.file)
        } else {
            bench.manager.registry.loaders.add(SourceLoader(source: ScriptedSource(ScriptedCoder.file)))
        }
        // The file as a whole is not needed.
        let request = ImageRequest("fake://host/picture", context: [.thumbnailPixelSize(4, 3)])
        let image = try await Caller.pool.call { try await bench.manager.image(for: request) }
        #expect(image.size == PixelSize(4, 3))
        #expect(coder.decodeThreads.map { $0.name == HereBench.laneName } == [!isInMemory])
        await bench.expectOneDecode()
    }

    // MARK: Colors

    /// A color converter that supports no profile, and records the threads of its calls.
    private final class NotingConverter: ColorConverter {
        private let noted = Lock<[ThreadNote]>([])

        var threads: [ThreadNote] { noted.withLock { $0 } }

        func rowConverter(for conversion: ColorConversion) throws -> (any RowConverter)? {
            let thread = ThreadNote.current
            noted.withLock { $0.append(thread) }
            return nil
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `a picture that needs color conversion is decoded on the lane`(
        hasProfile: Bool, hasConverter: Bool
    ) async throws {
        var header = RawImageCoder.Header(width: 8, height: 6)
        if hasProfile { header.profile = Data("profile".utf8) }
        let file = RawImageCoder.file(header) { x, y, _ in SIMD4(UInt8(x), UInt8(y), 0, 255) }
        let (coder, converter) = (pureCoder(), NotingConverter())
        let bench = HereBench(coder)
        if hasConverter { bench.manager.registry.colorConverters.add(converter) }
        try await bench.keep(file)
        let own = try await Caller.pool.call {
            let own = ThreadNote.current
            _ = try await bench.manager.response(for: HereBench.request)
            return own
        }
        if hasProfile, hasConverter {
            #expect(coder.decodeThreads.map(\.name) == [HereBench.laneName])
            #expect(converter.threads == coder.decodeThreads)
        } else {
            #expect(coder.decodeThreads == [own])
            #expect(converter.threads.isEmpty)
        }
        await bench.expectOneDecode()
    }

    // MARK: Outcomes

    @Test func `a picture that fails to decode inline is reported as one failed step`() async throws {
        let coder = pureCoder()
        let bench = HereBench(coder)
        try bench.serve(HereBench.file.dropLast())
        let error = await imageError {
            try await Caller.pool.call { try await bench.manager.image(for: HereBench.request) }
        }
        #expect(error?.code == .badData)
        #expect(coder.decodeThreads.allSatisfy { $0.name != HereBench.laneName })
        #expect(await bench.lines(.decode) == ["decode began", "decode failed"])
        let statistics = bench.manager.statistics[.decode]
        #expect(statistics.failures == 1)
        #expect(statistics.running == 0)
        #expect(statistics.latency.count == 0)
    }

    /// The pixels may be damaged too, and there may be a blocking coder of another format. Then a decode that fails
    /// here is restarted on the lane, where the other coder may be tried.
    @Test(arguments: [false, true], [false, true])
    func `a damaged profile is reported once, even if the decode restarts`(
        isTruncated: Bool, hasBlocking: Bool
    ) async throws {
        let coder = ThreadNotingCoder(DamagedProfileCoder(coder: RawImageCoder(isPureComputation: true)))
        let foreign = try ThreadNotingCoder(Self.scriptedCoder(), isPureComputation: !hasBlocking)
        let bench = HereBench(foreign, coder)
        try bench.serve(isTruncated ? HereBench.file.dropLast() : HereBench.file)
        let error = await imageError {
            try await Caller.pool.call { try await bench.manager.image(for: HereBench.request) }
        }
        #expect(error?.code == (isTruncated ? ImageError.Code.badData : nil))
        let isBegunAnew = isTruncated && hasBlocking
        #expect(coder.decodeThreads.map { $0.name == HereBench.laneName } == (isBegunAnew ? [false, true] : [false]))
        let lines = await bench.lines(.decode)
        #expect(lines == ["decode began", "decode issue", isTruncated ? "decode failed" : "decode succeeded"])
        let issues = bench.listener.issues
        #expect(issues.map(\.message) == ["the embedded color profile is damaged; sRGB is used instead"])
        #expect(bench.manager.statistics.issues == [.badData: 1])
        #expect(bench.manager.statistics[.decode].failures == (isTruncated ? 1 : 0))
    }

    @Test func `a decode cancelled on its way to the lane is reported as one cancelled step`() async throws {
        // Given a single decoding thread, which is blocked by a cancelled request
        let gate = BlockingGate()
        defer { gate.open() }
        let coder = try Self.scriptedCoder(PixelSize(512, 257))
        let bench = HereBench(RawImageCoder(gate: gate), coder, concurrency: Concurrency(decodes: 1))
        let other = ImageRequest("fake://host/held")
        try await bench.keep(for: other)
        try await bench.keep(ScriptedCoder.file)
        let held = bench.manager.load(other)
        await gate.waitForArrivals(1)
        held.cancel()
        #expect(await imageError { try await held.response }?.code == .cancelled)
        let askedBefore = coder.decoderThreads.count
        // When a decode that started here, but is too large, is cancelled while it waits for the thread
        let task = bench.manager.load(HereBench.request)
        try await waitUntil("the decode waits for the thread") {
            bench.manager.pipeline.lanes.decoding.waitingCount >= 1
        }
        #expect(coder.decoderThreads.dropFirst(askedBefore).map { $0.name == HereBench.laneName } == [false])
        task.cancel()
        #expect(await imageError { try await task.response }?.code == .cancelled)
        try await waitUntil("the decode is cancelled") { bench.manager.statistics[.decode].cancellations >= 1 }
        // Then no further step of it begins, even when the thread is free again
        gate.open()
        try await waitUntil("no decode is running") { bench.manager.statistics[.decode].running == 0 }
        try await bench.manager.pipeline.lanes.decoding.run {}
        #expect(coder.decoderThreads.count == askedBefore + 1)
        let lines = await bench.lines(.decode)
        #expect(lines.filter { $0 == "decode began" }.count == 2)
        #expect(lines.count == 4)
    }
}
