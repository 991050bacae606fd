import CalotypeTesting
import Testing

@testable import Calotype

/// A manager that is asked for pictures, while their sources change and fail and its caches lose them, as a seed says.
struct RandomManagerRun {
    struct Request {
        let wish: RandomWish
        let task: ImageTask
        let story: Task<TaskStory, Never>
        /// Whether it was cancelled before it was known to have ended.
        var wasCancelled = false
    }

    /// What was prefetched together.
    struct List {
        let wishes: [RandomWish]
        let token: PrefetchToken
        var wasCancelled = false
    }

    let bench = Bench(context: [.off(.waitStoreCache)])
    let flaky: FlakyImageLoader
    let standIn: Image
    private(set) var requests: [Request] = []
    private(set) var lists: [List] = []
    /// What the sources have now, by the number of its version, where that is not the first.
    private var versions: [RandomSource: Int] = [:]
    private var removals: [Task<Void, any Error>] = []
    private let prefetchWidth: Int
    private let prefetcher: ImagePrefetcher
    private var random: SplitMix64

    init(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        flaky = FlakyImageLoader(RandomPicture(.flaky, version: 0).file, gate: bench.gate)
        standIn = Image(pixels: try PixelBuffer.drawn(PixelSize(2, 2)) { _, _ in [1, 2, 3, 255] })
        let destinations: [CacheTiers] = [.memory, .disk, .all]
        prefetchWidth = Int.random(in: 1...3, using: &random)
        prefetcher = ImagePrefetcher(
            manager: bench.manager, maxConcurrent: prefetchWidth,
            destination: destinations.randomElement(using: &random)!)
        self.random = random
        bench.manager.registry.loaders.add(flaky)
        for source in RandomSource.allCases {
            bench.loader.answer(source.url.absoluteString, with: source.answer(0))
        }
    }

    /// What a source has now.
    func version(of source: RandomSource) -> Int { versions[source, default: 0] }

    /// Whether an image is what a source had at some time, as it is to be made of it.
    func has(_ image: Image, of source: RandomSource, as variant: RandomVariant) -> Bool {
        guard let picture = RandomPicture(image), picture.source == source else { return false }
        return source.hasPicture && picture.version <= version(of: source) && image.size == variant.size(of: source)
    }

    /// Whether an image may be the answer to a request.
    func mayAnswer(_ image: Image, _ wish: RandomWish) -> Bool {
        guard let source = RandomPicture(image)?.source else { return false }
        return wish.mayBeAnswered(by: source) && has(image, of: source, as: wish.variant)
    }

    // MARK: What happens

    /// Sixty requests, in the middle of which all are cancelled that are under way.
    mutating func play() async throws {
        while requests.count < 30 { try await step() }
        cancelAll()
        while requests.count < 60 { try await step() }
    }

    private mutating func step() async throws {
        try Task.checkCancellation()
        switch Int.random(in: 0..<28, using: &random) {
        case 0..<10:
            begin(RandomWish(&random))
        case 10..<12:
            guard let index = requests.indices.randomElement(using: &random) else { return }
            cancel(index)
        case 12:
            let priority = Priority.allCases.randomElement(using: &random)!
            requests.randomElement(using: &random)?.task.priority = priority
        case 13..<16:
            let source = RandomSource.changing.randomElement(using: &random)!
            versions[source, default: 0] += 1
            bench.loader.answer(source.url.absoluteString, with: source.answer(version(of: source)))
        case 16:
            flaky.fail(Int.random(in: 0...4, using: &random))
        case 17, 18:
            prefetch()
        case 19:
            guard let index = lists.indices.randomElement(using: &random) else { return }
            lists[index].token.cancel()
            lists[index].wasCancelled = true
        case 20:
            remove()
        case 21:
            bench.memory.clear()
        case 22:
            bench.time.advance(by: .seconds(4))
        case 23:
            bench.manager.removeFailedURL(RandomSource.missing.url)
        case 24, 25:
            bench.gate.open()
            guard let task = requests.randomElement(using: &random)?.task else { return }
            _ = await imageError { try await task.response }
        default:
            Bool.random(using: &random) ? bench.gate.open() : bench.gate.close()
            for _ in 0..<Int.random(in: 0..<30, using: &random) { await Task.yield() }
        }
    }

    private mutating func begin(_ wish: RandomWish) {
        let task = bench.manager.load(wish.request(showing: standIn))
        requests.append(Request(wish: wish, task: task, story: Task { await TaskStory(of: task) }))
    }

    private mutating func cancel(_ index: Int) {
        guard !requests[index].task.isFinished else { return }
        requests[index].wasCancelled = true
        requests[index].task.cancel()
        #expect(requests[index].task.isFinished, "cancelling ends a request at once")
    }

    private mutating func cancelAll() {
        for index in requests.indices where !requests[index].task.isFinished { requests[index].wasCancelled = true }
        bench.manager.cancelAll()
        #expect(requests.allSatisfy { $0.task.isFinished }, "cancelling ends all requests at once")
    }

    private mutating func prefetch() {
        let count = Int.random(in: 0...4, using: &random)
        let wishes = (0..<count).map { _ in RandomWish(&random) }
        let standIn = standIn
        let token = prefetcher.start(wishes.map { $0.request(showing: standIn) })
        lists.append(List(wishes: wishes, token: token))
    }

    private mutating func remove() {
        let tiers: [CacheTiers] = [.memory, .disk, .all]
        let (manager, request) = (bench.manager, RandomWish(&random).request(showing: standIn))
        let (chosen, isOfAll) = (tiers.randomElement(using: &random)!, Bool.random(using: &random))
        removals.append(
            Task { () async throws -> Void in
                try await manager.remove(request, from: chosen, allVariants: isOfAll)
            })
    }

    // MARK: The end

    /// Waits until everything has ended, also what nobody has waited for any more, and all sources can be asked.
    func settle() async throws {
        bench.gate.open()
        for removal in removals { try await removal.value }
        try await wait { requests.allSatisfy { $0.task.isFinished } && lists.allSatisfy { $0.token.isFinished } }
        try await settlePrefetching()
        flaky.fail(0)
        let (manager, pipeline) = (bench.manager, bench.manager.pipeline)
        var transfers: [TransferID] = []
        for source in RandomSource.allCases {
            transfers.append(try await manager.resolution(of: ImageRequest(source.url)).transfer)
        }
        // In the order in which work goes on: what has left the one before is in the next, or gone.
        try await wait {
            guard manager.tasks.isEmpty, manager.statistics.inFlight == 0, manager.isIdle,
                bench.loader.activeCount == 0, flaky.activeCount == 0, pipeline.undecoded.byteCount == 0,
                transfers.allSatisfy({ pipeline.originalsInUse.original(by: $0) == nil })
            else { return false }
            return pipeline.unfinished.byteCount == 0
        }
        await pipeline.pendingStores.wait(for: bench.cache)
        let lanes = pipeline.lanes
        try await wait {
            [lanes.loading, lanes.arriving, lanes.readingGate, lanes.decodingGate].allSatisfy {
                $0.waitingCount == 0 && $0.takenCost == 0
            }
        }
    }

    /// Waits until the prefetcher does nothing for lists that were cancelled: when all its workers meet at a gate.
    private func settlePrefetching() async throws {
        let file = RawImageCoder.file(width: 2, height: 2)
        let last = FakeImageLoader(scheme: "last", answer: .bytes(file), gate: Gate())
        bench.manager.registry.loaders.add(last)
        let requests = (0..<prefetchWidth).map { index in
            ImageRequest("last://host/\(index)", context: [.off(.imageCache), .fromLoaderOnly])
        }
        let token = prefetcher.start(requests)
        try await wait { last.gate.arrivals == prefetchWidth }
        last.gate.open()
        let result = await token.completion
        #expect(result == PrefetchProgress(finished: prefetchWidth, skipped: 0, total: prefetchWidth))
    }

    private func wait(until isOver: () -> Bool) async throws {
        while !isOver() {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
