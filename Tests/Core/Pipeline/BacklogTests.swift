import CalotypeTesting
import Testing

@testable import Calotype

/// What keeps many requests at once from filling the memory.
@Suite(.timeLimit(.minutes(5)))
struct BacklogTests {
    private func waitForWaiting(_ count: Int, _ backlog: Backlog) async {
        while backlog.waitingCount < count { await Task.yield() }
    }

    /// As much as makes others wait, until it is let go of.
    private func all(of backlog: Backlog) -> [Backlog.Share] { [backlog.share(.max)] }

    // MARK: By itself

    @Test func `who comes when there is room does not wait, others until there is`() async throws {
        let backlog = Backlog(limit: 100)
        var shares = [backlog.share(60), backlog.share(39)]
        try await backlog.waitForRoom()
        shares.append(backlog.share(1))
        let waiting = (0..<3).map { _ in Task { try await backlog.waitForRoom() } }
        await waitForWaiting(3, backlog)
        shares.removeLast()
        for task in waiting { try await task.value }
        #expect(backlog.byteCount == 99)
        shares.removeAll()
        #expect(backlog.byteCount == 0)
    }

    @Test func `what is larger than the limit counts as much as that`() {
        let backlog = Backlog(limit: 100)
        var shares = (0..<3).map { _ in backlog.share(.max, .max) }
        #expect(backlog.byteCount == 600)
        shares.removeAll()
        #expect(backlog.byteCount == 0)
    }

    @Test func `who is cancelled waits no more`() async throws {
        let backlog = Backlog(limit: 1)
        let shares = all(of: backlog)
        let task = Task { try await backlog.waitForRoom() }
        await waitForWaiting(1, backlog)
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(backlog.waitingCount == 0)
        withExtendedLifetime(shares) {}
    }

    // MARK: In the pipeline

    @Test func `while much waits to be decoded nothing more is read`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let bench = Bench(decodeGate: gate, concurrency: Concurrency(reads: 1, decodes: 1))
        let undecoded = bench.manager.pipeline.undecoded
        let file = RawImageCoder.file(width: 4, height: 3)
        let requests = (0..<40).map { ImageRequest("fake://host/\($0).raw") }
        for request in requests {
            let key = try await bench.manager.cacheKey(for: request)
            try bench.data.store(CacheEntry(data: file), for: key)
        }
        // Given room for one byte, and a decoder that is held
        var shares = [undecoded.share((64 << 20) - 1)]
        let tasks = requests.map { bench.manager.load($0) }
        // Then as many have read as may do so at once, the next as many wait for memory, and the others for their turn
        await waitForWaiting(2, undecoded)
        #expect((1...2).contains(bench.data.readCount))
        #expect(undecoded.waitingCount == 2)
        shares.removeAll()
        gate.open()
        for task in tasks { #expect(try await task.response.source == .disk) }
        #expect(bench.data.readCount == 40)
    }

    @Test func `while much waits to be decoded no load begins to write`() async throws {
        let bench = Bench()
        let undecoded = bench.manager.pipeline.undecoded
        var shares = all(of: undecoded)
        let pixels = Image(pixels: try PixelBuffer.noise(PixelSize(4, 3), seed: 1))
        bench.loader.answer("fake://host/pixels.raw", with: .image(pixels))
        // Given a load of bytes, one of pixels, and one that somebody cancels
        let tasks = ["bytes", "pixels"].map {
            bench.manager.load(ImageRequest("fake://host/\($0).raw", context: [.fromLoaderOnly]))
        }
        let cancelled = bench.manager.load(ImageRequest("fake://host/cancelled.raw", context: [.fromLoaderOnly]))
        await waitForWaiting(3, undecoded)
        cancelled.cancel()
        while undecoded.waitingCount > 2 { await Task.yield() }
        #expect(bench.coder.decodeCount == 0)
        shares.removeAll()
        for task in tasks { #expect(try await task.response.source == .loader) }
        let error = await imageError { try await cancelled.response }
        #expect(error?.code == .cancelled)
    }

    @Test func `while many pictures are not finished none is decoded, and memory still answers`() async throws {
        let bench = Bench(concurrency: Concurrency(decodes: 2))
        let known = ImageRequest("fake://host/known.raw")
        _ = try await bench.manager.image(for: known)
        let unfinished = bench.manager.pipeline.unfinished
        var shares = all(of: unfinished)
        let tasks = (0..<10).map { bench.manager.load(ImageRequest("fake://host/\($0).raw")) }
        await waitForWaiting(2, unfinished)
        while bench.loader.loadCount < 11 { await Task.yield() }
        #expect(bench.coder.decodeCount == 1)
        #expect(try await bench.manager.response(for: known).source == .memory)
        shares.removeAll()
        for task in tasks { #expect(try await task.response.source == .loader) }
    }

    @Test func `requests give back what they took, however they end`() async throws {
        struct Refusal: Error {}
        let bench = Bench(isOpen: false)
        bench.loader.answer("fake://host/1.raw", with: .bytes(Data("CALORAW {}\n".utf8)))
        let refusing = FakeTransformer(key: "no") { _ in throw Refusal() }
        let contexts: [ImageContext] = [
            [], [.thumbnailPixelSize(5, 5)], [.transformer(FakeTransformer())], [.transformer(refusing)],
            [.fromCacheOnly], [.originalStoreCacheType([])],
        ]
        var tasks: [ImageTask] = []
        for number in 0..<3 {
            for context in contexts {
                tasks.append(bench.manager.load(ImageRequest("fake://host/\(number).raw", context: context)))
            }
        }
        for task in tasks.suffix(3) { task.cancel() }
        bench.gate.open()
        for task in tasks { _ = await imageError { try await task.response } }
        for context in contexts {
            let request = ImageRequest("fake://host/0.raw", context: context)
            _ = await imageError { try await bench.manager.image(for: request) }
        }
        // Whoever has ended may not have let go of it yet.
        let pipeline = bench.manager.pipeline
        while pipeline.undecoded.byteCount > 0 || pipeline.unfinished.byteCount > 0 { await Task.yield() }
        #expect(pipeline.undecoded.waitingCount == 0)
        #expect(pipeline.unfinished.waitingCount == 0)
    }
}
