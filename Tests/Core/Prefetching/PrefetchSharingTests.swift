import CalotypeTesting
import Testing

@testable import Calotype

/// Concurrent prefetching and loading of the same pictures.
@Suite(.timeLimit(.minutes(5)))
struct PrefetchSharingTests {
    private func order(of bench: Bench) -> [String] {
        bench.loader.requests.map { $0.url.lastPathComponent }
    }

    private func load(_ name: String, _ bench: Bench, _ context: ImageContext = []) -> ImageTask {
        bench.manager.load(ImageRequest("fake://host/\(name)", context: context))
    }

    /// Returns a bench with one load at a time, and a task that holds the slot until the gate opens.
    private func crowdedBench() async -> (Bench, ImageTask) {
        let bench = Bench(isOpen: false, concurrency: Concurrency(loads: 1))
        let holder = load("holder", bench)
        await bench.gate.waitForArrivals(1)
        return (bench, holder)
    }

    @Test func `a prefetch starts after visible requests, until one of them joins it`() async throws {
        let (bench, holder) = await crowdedBench()
        let prefetcher = ImagePrefetcher(manager: bench.manager, maxConcurrent: 1)
        let token = prefetcher.start(["fake://host/joined", "fake://host/alone"])
        try await waitUntil("one load waits for a slot") { bench.manager.waitingLoadCount == 1 }
        #expect(bench.manager.highestWaitingPriority == .low)
        let normal = load("normal", bench)
        try await waitUntil("two loads wait for a slot") { bench.manager.waitingLoadCount == 2 }
        let joining = load("joined", bench, [.priority(.high)])
        try await waitUntil("the highest waiting priority is high") { bench.manager.highestWaitingPriority == .high }
        bench.gate.open()
        for task in [holder, normal, joining] { _ = try await task.response }
        let result = await token.completion
        #expect(result == PrefetchProgress(finished: 2, skipped: 0, total: 2))
        #expect(order(of: bench).prefix(2) == ["holder", "joined"])
        #expect(Set(order(of: bench).dropFirst(2)) == ["normal", "alone"])
        #expect(bench.loader.loadCount == 4)
    }

    @Test func `cancelling a list leaves a load that a visible request has joined`() async throws {
        let (bench, holder) = await crowdedBench()
        let prefetcher = ImagePrefetcher(manager: bench.manager)
        let token = prefetcher.start(["fake://host/joined", "fake://host/alone"])
        try await waitUntil("two loads wait for a slot") { bench.manager.waitingLoadCount == 2 }
        let joining = load("joined", bench, [.priority(.high)])
        try await waitUntil("the highest waiting priority is high") { bench.manager.highestWaitingPriority == .high }
        token.cancel()
        #expect(token.isFinished)
        try await waitUntil("one load waits for a slot") { bench.manager.waitingLoadCount == 1 }
        bench.gate.open()
        for task in [holder, joining] { _ = try await task.response }
        #expect(order(of: bench) == ["holder", "joined"])
        #expect(bench.loader.cancelCount == 0)
    }

    @Test func `cancelling a visible request leaves the prefetch that it joined`() async throws {
        let (bench, holder) = await crowdedBench()
        let prefetcher = ImagePrefetcher(manager: bench.manager)
        let token = prefetcher.start(["fake://host/joined"])
        try await waitUntil("one load waits for a slot") { bench.manager.waitingLoadCount == 1 }
        let joining = load("joined", bench, [.priority(.high)])
        try await waitUntil("the highest waiting priority is high") { bench.manager.highestWaitingPriority == .high }
        joining.cancel()
        try await waitUntil("the highest waiting priority is low") { bench.manager.highestWaitingPriority == .low }
        bench.gate.open()
        _ = try await holder.response
        let result = await token.completion
        #expect(result == PrefetchProgress(finished: 1, skipped: 0, total: 1))
    }

    @Test func `a prefetcher's priority applies to running and future requests`() async throws {
        let (bench, holder) = await crowdedBench()
        let prefetcher = ImagePrefetcher(manager: bench.manager, maxConcurrent: 1)
        let urgent = ImageRequest("fake://host/first", context: [.priority(.veryHigh)])
        let token = prefetcher.start([urgent, ImageRequest("fake://host/second")])
        try await waitUntil("one load waits for a slot") { bench.manager.waitingLoadCount == 1 }
        #expect(bench.manager.highestWaitingPriority == .low)
        let normal = load("normal", bench)
        try await waitUntil("two loads wait for a slot") { bench.manager.waitingLoadCount == 2 }
        prefetcher.priority = .high
        #expect(prefetcher.priority == .high)
        try await waitUntil("the highest waiting priority is high") { bench.manager.highestWaitingPriority == .high }
        bench.gate.open()
        for task in [holder, normal] { _ = try await task.response }
        _ = await token.completion
        #expect(order(of: bench).prefix(2) == ["holder", "first"])
        let second = bench.loader.requests.first { $0.url.lastPathComponent == "second" }
        #expect(second?.context[.priority] == .high)
    }

    @Test(arguments: [[], [.transformer(FakeTransformer())]] as [ImageContext])
    func `a visible request joins the decode of a prefetch to memory, and stores the original`(
        context: ImageContext
    ) async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let bench = Bench(decodeGate: gate)
        let request = bench.request(context)
        let prefetcher = ImagePrefetcher(manager: bench.manager, destination: .memory)
        let token = prefetcher.start([request])
        await gate.waitForArrivals(1)
        let visible = bench.manager.load(request)
        let work: AwaitedWork = context.isEmpty ? .decode : .steps(1)
        try await bench.manager.waitForWaiters(2, for: work, of: request)
        gate.open()
        _ = try await visible.response
        _ = await token.completion
        #expect(bench.coder.decodeCount == 1)
        #expect(bench.loader.loadCount == 1)
        let key = try await bench.manager.cacheKey(for: bench.request())
        #expect(try bench.data.contains(key), "the visible request stores the original on disk")
    }

    @Test func `the first of the requests that share a decode decides how the original is stored`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let bench = Bench(decodeGate: gate)
        let tags = (0..<20).map { "tag \($0)" }
        var tasks: [ImageTask] = []
        for tag in tags {
            tasks.append(bench.manager.load(bench.request([.cacheTags([tag])])))
            try await bench.manager.waitForWaiters(tasks.count, for: .decode, of: bench.request())
        }
        gate.open()
        for task in tasks { _ = try await task.response }
        #expect(bench.coder.decodeCount == 1)
        let key = try await bench.manager.cacheKey(for: bench.request())
        #expect(try bench.data.entry(for: key)?.tags == ["tag 0"])
    }

    /// The visible request joins while the prefetch decodes, or while it transforms.
    @Test(arguments: [true, false])
    func `a visible request stores the original although the transformer of the prefetch that it joins fails`(
        joinsDecode: Bool
    ) async throws {
        let (decoding, transforming) = (BlockingGate(), BlockingGate())
        defer {
            decoding.open()
            transforming.open()
        }
        let bench = Bench(decodeGate: decoding)
        struct Refusal: Error {}
        let failing = FakeTransformer(gate: transforming) { _ in throw Refusal() }
        let request = bench.request([.transformer(failing)])
        let prefetcher = ImagePrefetcher(manager: bench.manager, destination: .memory)
        let token = prefetcher.start([request])
        await decoding.waitForArrivals(1)
        if !joinsDecode {
            decoding.open()
            await transforming.waitForArrivals(1)
        }
        let visible = bench.manager.load(request)
        try await bench.manager.waitForWaiters(2, for: .steps(1), of: request)
        decoding.open()
        transforming.open()
        let error = await imageError { try await visible.response }
        #expect(error?.code == .transformFailed)
        #expect(await token.completion == PrefetchProgress(finished: 0, skipped: 1, total: 1))
        #expect(failing.callCount == 1)
        let key = try await bench.manager.cacheKey(for: bench.request())
        await bench.manager.pipeline.pendingStores.wait(for: StoreKey(key, in: bench.cache))
        #expect(try bench.data.contains(key))
    }
}
