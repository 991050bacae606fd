import Calotype
import CalotypeTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EventTests {
    /// Returns the events of a listener when a number of requests has ended.
    private func events(_ listener: RecordingListener, after count: Int = 1) async throws -> [PipelineEvent] {
        try await waitUntil("\(count) requests have ended") {
            listener.events.filter { $0.stage == .request && $0.isEnd }.count >= count
        }
        return listener.events
    }

    /// Waits until a listener has received an event.
    private func wait(for line: String, at listener: RecordingListener) async throws {
        try await waitUntil("the event has arrived: \(line)") { listener.events.contains { $0.line == line } }
    }

    private static let lines = [
        "request began", "query began", "query missed", "load began", "load succeeded", "decode began",
        "decode succeeded", "store began", "store succeeded", "request succeeded",
    ]

    // MARK: Events

    @Test func `a load is reported step by step`() async throws {
        let bench = Bench()
        _ = try await bench.manager.image(for: bench.request())
        let events = try await events(bench.listener)
        #expect(events.map(\.line) == Self.lines)
        #expect(events.last?.source == .loader)
        #expect(events.dropLast().allSatisfy { $0.source == nil })
    }

    @Test func `each began event has one end event with the same number`() async throws {
        let bench = Bench()
        let requests = [
            bench.request(), bench.request([.thumbnailPixelSize(5, 5)]),
            bench.request([.transformer(FakeTransformer())]), bench.request([.fromCacheOnly, .frame(1)]),
        ]
        for request in requests { _ = await imageError { try await bench.manager.image(for: request) } }
        let events = try await events(bench.listener, after: requests.count)
        let begun = events.indices.filter { events[$0].line.hasSuffix("began") }
        #expect(Set(begun.map { events[$0].id }).count == begun.count)
        for index in begun {
            let id = events[index].id
            let same = events.indices.filter { events[$0].id == id }
            try #require(same.count == 2, "\(events[index].line)")
            #expect(same[0] == index)
            #expect(events[same[1]].isEnd)
            #expect(events[same[1]].stage == events[index].stage)
        }
        #expect(events.filter(\.isEnd).count == begun.count)
    }

    @Test func `each step names the request that began it`() async throws {
        let bench = Bench()
        var told = 0
        for side in [5, 6] {
            _ = try await bench.manager.image(for: bench.request([.thumbnailPixelSize(side, side)]))
            let events = try await events(bench.listener, after: side - 4)
            let own = events.dropFirst(told)
            told = events.count
            let steps = own.filter { $0.stage != .store && $0.stage != .encode }
            #expect(steps.first?.id != nil)
            #expect(steps.allSatisfy { $0.requestID == steps.first?.id })
            #expect(own.filter { $0.stage == .store }.allSatisfy { $0.requestID == nil })
        }
    }

    @Test func `a step reports its component, byte count and duration`() async throws {
        let bench = Bench(isOpen: false)
        let task = bench.manager.load(bench.request())
        await bench.gate.waitForArrivals(1)
        bench.time.advance(by: .seconds(2))
        bench.gate.open()
        let image = try await task.response.image
        let events = try await events(bench.listener)
        func event(_ line: String) throws -> PipelineEvent { try #require(events.first { $0.line == line }) }
        let file = RawImageCoder.file(width: 40, height: 30)
        #expect(try event("load began").component == "FakeImageLoader")
        #expect(try event("load succeeded").byteCount == file.count)
        #expect(try event("load succeeded").duration == .seconds(2))
        #expect(try event("decode began").component == nil)
        #expect(try event("decode succeeded").component == "RawImageCoder")
        #expect(try event("decode succeeded").byteCount == image.byteCount)
        #expect(try event("query missed").component == "TieredCache")
        #expect(try event("store succeeded").byteCount == file.count)
        #expect(try event("request succeeded").duration == .seconds(2))
        #expect(try event("request began").subject == Bench.url.absoluteString)
    }

    @Test func `a memory hit is a request that begins and ends at once, and a miss sends no event`() async throws {
        let bench = Bench()
        #expect(bench.manager.cachedResponse(for: bench.request()) == nil)
        await bench.manager.waitForEvents()
        #expect(bench.listener.events.isEmpty)
        _ = try await bench.manager.image(for: bench.request())
        let before = try await events(bench.listener).count
        #expect(bench.manager.cachedResponse(for: bench.request()) != nil)
        _ = try await bench.manager.image(for: bench.request())
        _ = try await bench.manager.load(bench.request()).response
        await bench.manager.waitForEvents()
        let events = bench.listener.events.dropFirst(before)
        let hit = ["request began", "request succeeded"]
        #expect(events.map(\.line) == hit + hit + hit)
        #expect(events.filter(\.isEnd).allSatisfy { $0.source == .memory && $0.duration == .zero })
        #expect(Set(events.map(\.id)).count == 3)
    }

    // MARK: Listeners

    @Test func `a request's listener gets its events in addition to the manager's, and no others`() async throws {
        let (bench, own) = (Bench(), RecordingListener())
        _ = try await bench.manager.image(for: bench.request([.eventListener(own)]))
        let (mine, all) = (try await events(own), try await events(bench.listener))
        #expect(mine.map(\.line) == Self.lines)
        #expect(all.map(\.line) == Self.lines)
        #expect(mine.map(\.id) == all.map(\.id))
        bench.memory.clear()
        _ = try await bench.manager.image(for: bench.request())
        #expect(try await events(bench.listener, after: 2).count > Self.lines.count)
        await bench.manager.waitForEvents()
        #expect(own.events.count == Self.lines.count)
    }

    @Test func `a shared listener gets each event once, and a request can silence the manager's`() async throws {
        let bench = Bench()
        _ = try await bench.manager.image(for: bench.request([.eventListener(bench.listener)]))
        #expect(try await events(bench.listener).map(\.line) == Self.lines)
        bench.memory.clear()
        _ = try await bench.manager.image(for: bench.request([.off(.eventListener)]))
        #expect(bench.manager.cachedResponse(for: bench.request([.off(.eventListener)])) != nil)
        await bench.manager.waitForEvents()
        #expect(bench.listener.events.count == Self.lines.count)
    }

    @Test func `a listener added by a processor gets the steps after it`() async throws {
        struct Adding: OptionsProcessor {
            let listener: RecordingListener
            func process(_ context: ResolvedContext, for url: URL) throws -> ImageContext { [.eventListener(listener)] }
        }
        let added = RecordingListener()
        let bench = Bench(context: [.optionsProcessor(Adding(listener: added))])
        _ = try await bench.manager.image(for: bench.request())
        let all = try await events(bench.listener).map(\.line)
        #expect(all == ["request began", "resolve began", "resolve succeeded"] + Self.lines.dropFirst())
        await bench.manager.waitForEvents()
        #expect(added.events.map(\.line) == Array(Self.lines.dropFirst().dropLast()))
    }

    @Test func `shared work is reported to its first request, and the other gets a joined event`() async throws {
        let bench = Bench(isOpen: false, context: [.fromLoaderOnly])
        let (first, second) = (RecordingListener(), RecordingListener())
        func load(_ side: Int, _ listener: RecordingListener) -> ImageTask {
            bench.manager.load(bench.request([.thumbnailPixelSize(side, side), .eventListener(listener)]))
        }
        let one = load(5, first)
        await bench.gate.waitForArrivals(1)
        let other = load(6, second)
        try await wait(for: "load joined", at: second)
        bench.gate.open()
        _ = try await (one.response, other.response)
        let (told, toldOther) = (try await events(first), try await events(second))
        #expect(told.map(\.line).contains("load succeeded"))
        #expect(!told.map(\.line).contains("load joined"))
        #expect(!toldOther.map(\.line).contains("load began"))
        #expect(toldOther.map(\.line).contains("decode succeeded"))
        let joined = try #require(toldOther.first { $0.line == "load joined" })
        #expect(joined.requestID == toldOther.first?.id)
        #expect(joined.id == nil)
    }

    // MARK: Failures

    @Test func `a failing load is reported, and so is the end of its request`() async throws {
        let bench = Bench(context: [.fromLoaderOnly])
        let error = ImageError(.notFound, stage: .load, message: "gone")
        bench.loader.answer(Bench.url.absoluteString, with: .failure(error, after: Data(count: 10)))
        _ = await imageError { try await bench.manager.image(for: bench.request()) }
        let events = try await events(bench.listener)
        #expect(events.map(\.line) == ["request began", "load began", "load failed", "request failed"])
        #expect(events.compactMap(\.error).map(\.code) == [.notFound, .notFound])
        #expect(events[2].byteCount == 10)
        await bench.manager.waitForEvents()
        #expect(bench.listener.issues.isEmpty)
    }

    @Test func `a picture that cannot be decoded ends the decoding and the request`() async throws {
        let bench = Bench(context: [.fromLoaderOnly])
        _ = await imageError { try await bench.manager.image(for: bench.request([.frame(7)])) }
        let events = try await events(bench.listener)
        #expect(events.suffix(3).map(\.line) == ["decode began", "decode failed", "request failed"])
        #expect(events.compactMap(\.error).map(\.code) == [.noSuchFrame, .noSuchFrame])
    }

    @Test func `a failing cache is reported as stopped, and the request continues`() async throws {
        struct Broken: Error {}
        let bench = Bench()
        bench.data.failure = Broken()
        _ = try await bench.manager.image(for: bench.request())
        let events = try await events(bench.listener)
        let lines = { (stage: ImageError.Stage) in events.filter { $0.stage == stage }.map(\.line) }
        #expect(lines(.query) == ["query began", "query failed", "query issue"])
        #expect(lines(.store) == ["store began", "store failed", "store issue"])
        #expect(lines(.request) == ["request began", "request succeeded"])
        #expect(events.compactMap(\.error).allSatisfy { $0.code == .cacheFailed && $0.cause is Broken })
    }

    @Test func `cancelling a request ends it and the work that only it needed`() async throws {
        let bench = Bench(isOpen: false, context: [.fromLoaderOnly])
        let task = bench.manager.load(bench.request())
        await bench.gate.waitForArrivals(1)
        task.cancel()
        try await wait(for: "load failed", at: bench.listener)
        let events = try await events(bench.listener)
        #expect(events.filter(\.isEnd).map(\.line).sorted() == ["load failed", "request failed"])
        #expect(events.compactMap(\.error).allSatisfy { $0.code == .cancelled })
    }

    @Test func `an invalid URL is reported as a request that begins and ends`() async throws {
        let bench = Bench()
        _ = await imageError { try await bench.manager.image(for: "no scheme") }
        let events = try await events(bench.listener)
        #expect(events.map(\.line) == ["request began", "request failed"])
        #expect(events.last?.error?.code == .invalidURL)
    }
}
