import Calotype
import CalotypeTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ImageTaskTests {
    private func events(of task: ImageTask) async -> (events: [ImageEvent], error: (any Error)?) {
        var events: [ImageEvent] = []
        do {
            for try await event in task { events.append(event) }
            return (events, nil)
        } catch {
            return (events, error)
        }
    }

    private func isFinished(_ event: ImageEvent?) -> Bool {
        if case .finished? = event { return true }
        return false
    }

    @Test func `a task sends progress and then one finished event`() async throws {
        let bench = Bench()
        let (events, error) = await events(of: bench.manager.load(bench.request()))
        #expect(error == nil)
        #expect(isFinished(events.last))
        #expect(events.dropLast().allSatisfy { !isFinished($0) })
    }

    @Test func `progress counts received and expected bytes`() async throws {
        let bench = Bench(isOpen: false)
        let size = RawImageCoder.file(width: 40, height: 30).count
        let task = bench.manager.load(bench.request())
        await bench.gate.waitForArrivals(1)
        var iterator = task.makeAsyncIterator()
        bench.gate.open()
        var last: LoadProgress?
        while let event = try await iterator.next() {
            guard case .progress(let progress) = event else { continue }
            #expect(progress.expectedByteCount == size)
            #expect(progress.byteCount >= last?.byteCount ?? 0)
            last = progress
        }
        #expect(last != nil)
        #expect(last?.byteCount ?? 0 <= size)
    }

    @Test func `a late listener gets the last event`() async throws {
        let bench = Bench()
        let task = bench.manager.load(bench.request())
        _ = try await task.response
        for _ in 0..<3 {
            let (events, error) = await events(of: task)
            #expect(error == nil)
            #expect(events.count == 1)
            #expect(isFinished(events.first))
        }
    }

    @Test func `several listeners each get the end`() async throws {
        let bench = Bench(isOpen: false)
        let task = bench.manager.load(bench.request())
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<5 { group.addTask { isFinished(await events(of: task).events.last) } }
            await bench.gate.waitForArrivals(1)
            bench.gate.open()
            for await isFinished in group { #expect(isFinished) }
        }
    }

    @Test func `cancelling ends a task at once, whatever its state`() async throws {
        let bench = Bench(isOpen: false)
        let task = bench.manager.load(bench.request())
        await bench.gate.waitForArrivals(1)
        task.cancel()
        #expect(task.isFinished)
        let (events, error) = await events(of: task)
        #expect(!events.contains { isFinished($0) })
        #expect((error as? ImageError)?.code == .cancelled)
    }

    @Test func `cancelling after the end changes nothing`() async throws {
        let bench = Bench()
        let task = bench.manager.load(bench.request())
        let image = try await task.response.image
        task.cancel()
        #expect(try await task.response.image.isIdentical(to: image))
    }

    @Test func `a task that is not retained runs to its end`() async throws {
        let bench = Bench(isOpen: false)
        bench.manager.load(bench.request())
        await bench.gate.waitForArrivals(1)
        bench.gate.open()
        try await waitUntil("the image is in memory") { bench.manager.cachedResponse(for: bench.request()) != nil }
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `an awaited load is cancelled with the task that awaits it`() async throws {
        let bench = Bench(isOpen: false)
        let waiting = Task { try await bench.manager.image(for: bench.request()) }
        await bench.gate.waitForArrivals(1)
        waiting.cancel()
        let error = await imageError { try await waiting.value }
        #expect(error?.code == .cancelled)
        try await waitUntil("the load is cancelled") { bench.loader.cancelCount > 0 }
    }

    @Test func `cancelling reaches into a decode between two rows`() async throws {
        let gate = BlockingGate()
        let bench = Bench(decodeGate: gate, concurrency: Concurrency(decodes: 1))
        let task = bench.manager.load(bench.request())
        await gate.waitForArrivals(1)
        task.cancel()
        try await waitUntil("the manager is idle") { bench.manager.isIdle }
        gate.open()
        // This decode runs after the cancelled one has left the thread.
        _ = try await bench.manager.image(for: "fake://host/other.raw")
        #expect(bench.coder.rowCount <= 1 + 30, "one row of the cancelled picture, and all rows of the other")
    }

    @Test func `a request that takes too long fails with timedOut`() async throws {
        let bench = Bench(isOpen: false)
        let task = bench.manager.load(bench.request([.timeout(.seconds(5))]))
        await bench.gate.waitForArrivals(1)
        bench.time.advance(by: .seconds(4))
        #expect(!task.isFinished)
        bench.time.advance(by: .seconds(2))
        let error = await imageError { try await task.response }
        #expect(error?.code == .timedOut)
    }

    @Test func `a transformer that never returns delays no other request`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let bench = Bench(concurrency: Concurrency(transforms: 2))
        let stuck = bench.manager.load(bench.request([.transformer(FakeTransformer(key: "stuck", gate: gate))]))
        await gate.waitForArrivals(1)
        let image = try await bench.manager.image(for: bench.request([.transformer(FakeTransformer())]))
        #expect(image.width == 40)
        stuck.cancel()
        let error = await imageError { try await stuck.response }
        #expect(error?.code == .cancelled)
    }
}
