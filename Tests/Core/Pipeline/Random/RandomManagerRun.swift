import CalotypeTesting
import Testing

@testable import Calotype

/// A random run with a manager: requests while the sources change and fail, and while cache entries are removed and
/// stored. The seed determines all actions.
struct RandomManagerRun {
    struct Request {
        let wish: RandomWish
        let task: ImageTask
        let story: Task<TaskStory, Never>
        /// The minimum version of a manually stored picture that it may return; nil if none was stored.
        var least: Int?
        /// Whether it was cancelled before its end was known.
        var wasCancelled = false
    }

    /// A list of prefetched requests.
    struct List {
        let wishes: [RandomWish]
        let token: PrefetchToken
        var wasCancelled = false
    }

    let bench: RandomBench
    private(set) var requests: [Request] = []
    private(set) var lists: [List] = []
    /// The versions that were stored manually and not removed since.
    private(set) var given: [RandomVariant: Int] = [:]
    private(set) var handStored = RandomBench.HandStores()
    /// The destination of the prefetcher.
    let destination: CacheTiers
    /// The current version numbers of the sources; 0 by default.
    private var versions: [RandomSource: Int] = [:]
    private var removals: [Task<Void, any Error>] = []
    /// The prefetcher's concurrency, and also the number of its additional loads at the end.
    let prefetchWidth: Int
    private let prefetcher: ImagePrefetcher
    private var random: SplitMix64

    init(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        bench = try RandomBench()
        destination = [CacheTiers.memory, .disk, .all].randomElement(using: &random)!
        prefetchWidth = Int.random(in: 1...3, using: &random)
        prefetcher = ImagePrefetcher(
            manager: bench.manager, maxConcurrent: prefetchWidth, destination: destination)
        self.random = random
    }

    /// Returns the current version of a source; of the one without pictures, the last manually stored version.
    func version(of source: RandomSource) -> Int { versions[source, default: 0] }

    /// Returns whether an image is a correct variant of any version of a source.
    func has(_ image: Image, of source: RandomSource, as variant: RandomVariant) -> Bool {
        guard let picture = RandomPicture(image), picture.source == source else { return false }
        return source.hasPicture && picture.version <= version(of: source) && image.size == variant.size(of: source)
    }

    /// Returns whether an image may be the result of a request.
    func mayAnswer(_ image: Image, _ wish: RandomWish) -> Bool {
        guard let source = RandomPicture(image)?.source else { return false }
        return wish.mayBeAnswered(by: source) && has(image, of: source, as: wish.variant)
    }

    // MARK: Actions

    /// Performs actions for sixty requests. In the middle, all active requests are cancelled.
    mutating func play() async throws {
        while requests.count < 30 { try await step() }
        cancelAll()
        while requests.count < 60 { try await step() }
    }

    private mutating func step() async throws {
        try Task.checkCancellation()
        switch Int.random(in: 0..<31, using: &random) {
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
            bench.change(source, to: version(of: source))
        case 16:
            bench.flaky.fail(Int.random(in: 0...4, using: &random))
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
        case 26, 27:
            try await storeByHand()
        case 28:
            try await removeByHand()
        default:
            Bool.random(using: &random) ? bench.gate.open() : bench.gate.close()
            // Gives other tasks a random amount of time, without waiting for anything.
            for _ in 0..<Int.random(in: 0..<30, using: &random) { await Task.yield() }
        }
    }

    private mutating func begin(_ wish: RandomWish) {
        let task = bench.manager.load(bench.request(wish))
        // Revalidation with a source without pictures fails.
        let isGiven = wish.asked[0] == .given && (!wish.isRefreshed || wish.isFromCacheOnly)
        let least = isGiven ? given[wish.variant] : nil
        requests.append(
            Request(wish: wish, task: task, story: Task { await TaskStory(of: task) }, least: least))
    }

    private mutating func cancel(_ index: Int) {
        guard !requests[index].task.isFinished else { return }
        requests[index].wasCancelled = true
        requests[index].task.cancel()
        #expect(requests[index].task.isFinished, "cancelling ends a request immediately")
    }

    private mutating func cancelAll() {
        for index in requests.indices where !requests[index].task.isFinished { requests[index].wasCancelled = true }
        bench.manager.cancelAll()
        #expect(requests.allSatisfy { $0.task.isFinished }, "cancelling ends all requests immediately")
    }

    private mutating func prefetch() {
        let count = Int.random(in: 0...4, using: &random)
        let wishes = (0..<count).map { _ in RandomWish(&random) }
        let token = prefetcher.start(wishes.map { bench.request($0) })
        lists.append(List(wishes: wishes, token: token))
    }

    private mutating func remove() {
        let tiers: [CacheTiers] = [.memory, .disk, .all]
        let wish = RandomWish(&random)
        let (chosen, isOfAll) = (tiers.randomElement(using: &random)!, Bool.random(using: &random))
        // Manually stored pictures are removed only manually, so that their presence is known.
        guard wish.asked[0] != .given else { return }
        let (manager, request) = (bench.manager, bench.request(wish))
        removals.append(
            Task { () async throws -> Void in
                try await manager.remove(request, from: chosen, allVariants: isOfAll)
            })
    }

    /// Stores a new version of a picture manually. The store has ended on return.
    private mutating func storeByHand() async throws {
        let place = RandomPlace(source: .given, variant: RandomVariant.all.randomElement(using: &random)!)
        versions[.given, default: 0] += 1
        let picture = RandomPicture(.given, version: version(of: .given))
        let data = Bool.random(using: &random) ? picture.file(as: place.variant) : nil
        let request = bench.request(place)
        try await bench.manager.store(try picture.image(as: place.variant), data: data, for: request)
        given[place.variant] = picture.version
        let entry = try bench.data.peek(at: try await bench.manager.cacheKey(for: request))
        handStored.count += 1
        handStored.byteCount += entry?.data.count ?? 0
    }

    /// Removes such a picture, or all of them. The removal has ended on return.
    private mutating func removeByHand() async throws {
        let place = RandomPlace(source: .given, variant: RandomVariant.all.randomElement(using: &random)!)
        let isOfAll = random.happens(onceIn: 4)
        for index in requests.indices where !requests[index].task.isFinished { requests[index].least = nil }
        if isOfAll { given = [:] } else { given[place.variant] = nil }
        try await bench.manager.remove(bench.request(place), allVariants: isOfAll)
    }

    // MARK: Completion

    /// Waits until all work has ended, including abandoned work, and all sources respond.
    func settle() async throws {
        bench.gate.open()
        for removal in removals { try await removal.value }
        for request in requests { _ = await request.story.value }
        for list in lists { _ = await list.token.completion }
        await settlePrefetching()
        bench.flaky.fail(0)
        try await bench.settle()
    }

    /// Waits until the prefetcher has finished cancelled lists: all its workers meet at a gate.
    private func settlePrefetching() async {
        let requests = (0..<prefetchWidth).map { index in
            ImageRequest("last://host/\(index)", context: [.off(.imageCache), .fromLoaderOnly])
        }
        let token = prefetcher.start(requests)
        await bench.last.gate.waitForArrivals(prefetchWidth)
        bench.last.gate.open()
        let result = await token.completion
        #expect(result == PrefetchProgress(finished: prefetchWidth, skipped: 0, total: prefetchWidth))
    }
}
