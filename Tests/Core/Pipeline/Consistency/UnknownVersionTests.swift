import CalotypeTesting
import Testing

@testable import Calotype

/// Originals whose version is not yet known when their requests are cancelled.
@Suite(.timeLimit(.minutes(5)))
struct UnknownVersionTests {
    /// A file so long that its checksum is computed on a separate thread.
    private static let file = RawImageCoder.file(width: 320, height: 240)

    private let bench = Bench(context: [.originalStoreCacheType(.all)])

    /// Blocks all checksum threads until the gate is open.
    private func holdInspection(at gate: BlockingGate) async {
        let lane = bench.manager.pipeline.lanes.inspecting
        for _ in 0..<lane.width { lane.start { _ in gate.pass() } }
        await gate.waitForArrivals(lane.width)
    }

    @Test(
        arguments: [false, true],
        [[], [.transformer(FakeTransformer())], [.thumbnailPixelSize(8, 6)]] as [ImageContext])
    func `a load abandoned while its checksum is computed stores nothing`(
        isKept: Bool, context: ImageContext
    ) async throws {
        let pipeline = bench.manager.pipeline
        let request = bench.request(context)
        let original = try await bench.manager.cacheKey(for: request).original
        let (held, end) = (BlockingGate(), Gate())
        defer { held.open() }
        // Given an original without a validator, which is in a cache or being loaded
        let task: ImageTask
        if isKept {
            try bench.data.store(CacheEntry(data: Self.file), for: original)
            await holdInspection(at: held)
            task = bench.manager.load(request)
        } else {
            bench.loader.answer(
                Bench.url.absoluteString,
                with: .pieces([
                    (gate: Gate(isOpen: true), data: Data(Self.file.dropLast())),
                    (gate: end, data: Data(Self.file.suffix(1))),
                ]))
            task = bench.manager.load(request)
            // By then its head, which the same threads inspect, has been inspected.
            await end.waitForArrivals(1)
            await holdInspection(at: held)
            end.open()
        }
        // When it is decoded, and cancelled while its checksum waits for a thread
        try await waitUntil("the checksum waits for a thread") { pipeline.lanes.inspecting.waitingCount > 0 }
        #expect(pipeline.unfinished.byteCount > 0)
        task.cancel()
        #expect(await imageError { try await task.response }?.code == .cancelled)
        // Then its memory is released before the checksum runs, and nothing more is stored
        try await waitUntil("no memory is held") { pipeline.unfinished.byteCount + pipeline.undecoded.byteCount == 0 }
        held.open()
        await pipeline.pendingStores.wait(for: bench.cache)
        #expect(bench.memory.count == 0)
        #expect(bench.data.keys == (isKept ? [original] : []))
        #expect(bench.data.stores.count == (isKept ? 1 : 0))
    }

    @Test(arguments: [false, true])
    func `a completed load is stored with its version`(isKept: Bool) async throws {
        let request = bench.request([.transformer(FakeTransformer())])
        let original = try await bench.manager.cacheKey(for: request).original
        if isKept {
            try bench.data.store(CacheEntry(data: Self.file), for: original)
        } else {
            bench.loader.answer(Bench.url.absoluteString, with: .bytes(Self.file))
        }
        let response = try await bench.manager.response(for: request)
        #expect(response.source == (isKept ? .disk : .loader))
        let version = try #require(bench.memory.peek(at: original)?.attributes.version)
        #expect(version.hasPrefix("\(Self.file.count)-"))
        #expect(response.image.attributes.version == version)
    }
}
