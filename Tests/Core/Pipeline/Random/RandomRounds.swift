import CalotypeTesting
import Testing

@testable import Calotype

/// A manager without cancellations, and a model that predicts its exact behavior. Each action starts when all previous
/// ones have ended, or when all participants are known to wait.
struct RandomRounds {
    /// The counts of the fakes around the manager.
    struct Counts: Equatable {
        var loads: [RandomSource: TallyingLoader.Tally] = [:]
        var retryCount = 0
        var coder = TallyingCoder.Tally()
        var transformCount = 0
        /// The number of writes of each picture.
        var stores: [RandomPlace: Int] = [:]
        /// The successful requests, by the source of the image.
        var answers: [ImageResponse.Source: Int] = [:]
        var failures: [ImageError.Code: Int] = [:]
        var issues: [ImageError.Code: Int] = [:]
        var joins: [ImageError.Stage: Int] = [:]
    }

    /// The result of a request.
    private enum End: Equatable {
        case picture(RandomPicture, ImageResponse.Source)
        case failure(ImageError.Code)
    }

    private typealias Found = (version: Int, source: ImageResponse.Source)

    let bench: RandomBench
    private(set) var handStored = RandomBench.HandStores()
    private let comment: Comment
    private let prefetcher: ImagePrefetcher
    private let places: [VariantKey: RandomPlace]
    private let keys: [RandomPlace: VariantKey]
    /// The versions in the tiers.
    private var memory: [RandomPlace: Int] = [:]
    private var disk: [RandomPlace: Int] = [:]
    private var versions: [RandomSource: Int] = [:]
    /// The remaining failures of the flaky source.
    private var failuresLeft = 0
    private var expected = Counts()
    private var random: SplitMix64

    init(seed: UInt64) async throws {
        random = SplitMix64(seed: seed)
        comment = RandomSeeds.comment(seed)
        bench = try RandomBench()
        prefetcher = ImagePrefetcher(manager: bench.manager, maxConcurrent: 16)
        places = try await bench.places()
        keys = Dictionary(uniqueKeysWithValues: places.map { ($0.value, $0.key) })
    }

    // MARK: Actions

    /// Performs a random action to its end, and compares the state with the model.
    mutating func play() async throws {
        try Task.checkCancellation()
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<6: try await ask(RandomWish(&random, mayRemember: false))
        case 6..<9: try await askTogether()
        case 9, 10:
            let source = RandomSource.changing.randomElement(using: &random)!
            versions[source, default: 0] += 1
            bench.change(source, to: versions[source, default: 0])
        case 11:
            failuresLeft = Int.random(in: 0...4, using: &random)
            bench.flaky.fail(failuresLeft)
        case 12: try await storeByHand()
        case 13: try await remove()
        case 14: try await storeDuringLoad()
        default:
            bench.memory.clear()
            memory = [:]
        }
        try await compare()
    }

    /// Checks that the counts and the contents of the tiers match the model.
    private func compare() async throws {
        await bench.manager.pipeline.pendingStores.wait(for: bench.cache)
        await bench.manager.waitForEvents()
        try #require(counts == expected, comment)
        for (key, place) in places { #expect(bench.memory.contains(key) == (memory[place] != nil), comment) }
        try #require(bench.data.keys == Set(disk.keys.compactMap { keys[$0] }), comment)
    }

    /// The current counts of the fakes.
    private var counts: Counts {
        var counts = Counts()
        let tallies = bench.loads.tallies
        for source in RandomSource.allCases { counts.loads[source] = tallies[source.url.absoluteString] }
        counts.retryCount = bench.loads.retryCount
        counts.coder = bench.coder.tally
        counts.transformCount = bench.taller.callCount
        for (key, count) in bench.data.tally.stores {
            if let place = places[key] { counts.stores[place] = count }
        }
        let told = bench.listener.counts
        counts.answers = told.answers
        counts.failures = told.failures
        counts.issues = told.issues
        counts.joins = told.joinsOfWork
        return counts
    }

    /// Performs one request.
    private mutating func ask(_ wish: RandomWish) async throws {
        let end = expectedEnd(of: wish)
        let found = await Self.end(of: bench.manager.load(bench.request(wish)))
        #expect(found == end, "\(wish): \(comment)")
    }

    private static func end(of task: ImageTask) async -> End {
        do throws(ImageError) {
            let response = try await task.response
            guard let picture = RandomPicture(response.image) else { return .failure(.badData) }
            return .picture(picture, response.source)
        } catch {
            return .failure(error.code)
        }
    }

    /// Performs several requests for an uncached source, some of them prefetched, that all wait for one load.
    private mutating func askTogether() async throws {
        let source = RandomSource.allCases.randomElement(using: &random)!
        try await bench.manager.remove(ImageRequest(source.url), allVariants: true)
        forget(source)
        let retryCount = Int.random(in: 0...3, using: &random)
        let context: ImageContext = [.retryPolicy(RetryPolicy(count: retryCount, firstDelay: .zero))]
        let shown = somePlaces(of: source, 1...8)
        let prefetched = somePlaces(of: source, 0...4)
        let variants = (shown + prefetched).map(\.variant)

        // Variants that differ only in rows share a decode, those that differ in size a load.
        let sides = Set(variants.map(\.side)).count
        let tall = variants.filter(\.isTaller)
        let joins: [ImageError.Stage: Int] = [
            .load: sides - 1, .decode: variants.count - tall.count + Set(tall).count - sides,
            .transform: tall.count - Set(tall).count,
        ]
        for (stage, count) in joins where count > 0 { expected.joins[stage, default: 0] += count }

        bench.gate.close()
        let (arrivals, joinCount) = (bench.gate.arrivals, bench.listener.counts.joinCount)
        let tasks = shown.map { bench.manager.load(bench.request($0, context)) }
        let token = prefetcher.start(prefetched.map { bench.request($0, context) })
        await bench.gate.waitForArrivals(arrivals + 1)
        await bench.listener.waitForJoins(joinCount + joins.values.reduce(0, +))
        bench.gate.open()

        let failure: ImageError.Code?
        if let version = expectLoad(of: source, retryCount: retryCount), source != .damaged {
            failure = nil
            expectStore(at: RandomPlace(source: source, variant: .original), version)
            expected.coder.begun += sides
            expected.coder.decoded += sides
            expected.transformCount += Set(tall).count
            for variant in Set(variants) { expectVariant(at: RandomPlace(source: source, variant: variant), version) }
            expected.answers[.loader, default: 0] += variants.count
        } else {
            let code = source == .damaged ? ImageError.Code.badData : source.failure ?? .loadFailed
            if source == .damaged {
                expected.coder.begun += sides
                expected.coder.refused += sides
            }
            expected.failures[code, default: 0] += variants.count
            failure = code
        }
        for (place, task) in zip(shown, tasks) {
            let picture = RandomPicture(source, version: versions[source, default: 0])
            let end = failure.map { End.failure($0) } ?? .picture(picture, .loader)
            let found = await Self.end(of: task)
            #expect(found == end, "\(place): \(comment)")
        }
        let result = await token.completion
        let finished = failure == nil ? prefetched.count : 0
        #expect(result.finished == finished && result.skipped == prefetched.count - finished, comment)
    }

    private mutating func somePlaces(of source: RandomSource, _ counts: ClosedRange<Int>) -> [RandomPlace] {
        let count = Int.random(in: counts, using: &random)
        return (0..<count).map { _ in
            RandomPlace(source: source, variant: RandomVariant.all.randomElement(using: &random)!)
        }
    }

    private mutating func storeByHand() async throws {
        let tiers = [CacheTiers.memory, .disk, .all].randomElement(using: &random)!
        let place = RandomPlace(source: .given, variant: RandomVariant.all.randomElement(using: &random)!)
        versions[.given, default: 0] += 1
        try await store(RandomPicture(.given, version: versions[.given, default: 0]), at: place, in: tiers)
    }

    private mutating func store(_ picture: RandomPicture, at place: RandomPlace, in tiers: CacheTiers) async throws {
        let data = Bool.random(using: &random) ? picture.file(as: place.variant) : nil
        try await bench.manager.store(
            try picture.image(as: place.variant), data: data, for: bench.request(place), in: tiers)
        if tiers.contains(.memory) { memory[place] = picture.version }
        guard tiers.contains(.disk) else { return }
        expectStore(at: place, picture.version)
        if data == nil { expected.coder.encoded += 1 }
        let key = try #require(keys[place])
        let entry = try bench.data.peek(at: key)
        handStored.count += 1
        handStored.byteCount += entry?.data.count ?? 0
    }

    private mutating func remove() async throws {
        let place = RandomPlace.all.randomElement(using: &random)!
        let tiers = [CacheTiers.memory, .disk, .all].randomElement(using: &random)!
        let isOfAll = Bool.random(using: &random)
        try await bench.manager.remove(bench.request(place), from: tiers, allVariants: isOfAll)
        let isGone = { (other: RandomPlace) in other == place || isOfAll && other.source == place.source }
        if tiers.contains(.memory) { memory = memory.filter { !isGone($0.key) } }
        if tiers.contains(.disk) { disk = disk.filter { !isGone($0.key) } }
    }

    /// Checks that a manual store survives a load that began before it and ends after it, and whose result is not
    /// stored.
    private mutating func storeDuringLoad() async throws {
        let source = RandomSource.changing.randomElement(using: &random)!
        let place = RandomPlace(source: source, variant: RandomVariant.all.randomElement(using: &random)!)
        try await bench.manager.remove(bench.request(place), allVariants: true)
        forget(source)
        let old = RandomPicture(source, version: versions[source, default: 0])
        let new = RandomPicture(source, version: old.version + 1)
        bench.gate.close()
        let arrivals = bench.gate.arrivals
        let task = bench.manager.load(bench.request(place))
        await bench.gate.waitForArrivals(arrivals + 1)
        _ = expectLoad(of: source, retryCount: 0)
        versions[source] = new.version
        bench.change(source, to: new.version)
        try await store(new, at: place, in: .all)
        bench.gate.open()
        let own = await Self.end(of: task)
        #expect(own == .picture(old, .loader), comment)
        expected.answers[.loader, default: 0] += 1
        expected.coder.begun += 1
        expected.coder.decoded += 1
        if place.variant.isTaller { expected.transformCount += 1 }
        try await compare()

        let first = await Self.end(of: bench.manager.load(bench.request(place)))
        bench.memory.clear()
        memory = [:]
        let second = await Self.end(of: bench.manager.load(bench.request(place)))
        #expect(first == .picture(new, .memory) && second == .picture(new, .disk), "\(place): \(comment)")
        for tier in [ImageResponse.Source.memory, .disk] { expected.answers[tier, default: 0] += 1 }
        // It is stored as the final image, even under the key of an original, so no further step is needed.
        expected.coder.begun += 1
        expected.coder.decoded += 1
        memory[place] = new.version
        try await compare()

        // A manually stored picture has no version of its source, so a revalidation would load it again.
        try await bench.manager.remove(bench.request(place), allVariants: true)
        forget(source)
    }

    private mutating func forget(_ source: RandomSource) {
        memory = memory.filter { $0.key.source != source }
        disk = disk.filter { $0.key.source != source }
    }

    // MARK: Predictions

    /// Returns the predicted result of a request: from its own source, or from its alternatives.
    private mutating func expectedEnd(of wish: RandomWish) -> End {
        var failures: [ImageError.Code] = []
        for source in wish.asked {
            if let last = failures.last { expected.issues[last, default: 0] += 1 }
            let place = RandomPlace(source: source, variant: wish.variant)
            switch expectedAnswer(at: place, to: wish) {
            case .success(let found):
                expected.answers[found.source, default: 0] += 1
                return .picture(RandomPicture(source, version: found.version), found.source)
            case .failure(let error):
                failures.append(error.code)
            }
        }
        expected.failures[failures[0], default: 0] += 1
        return .failure(failures[0])
    }

    private mutating func expectedAnswer(at place: RandomPlace, to wish: RandomWish) -> Result<Found, Failure> {
        guard wish.isRefreshed, !wish.isFromCacheOnly else {
            if let version = memory[place] { return .success((version, .memory)) }
            return expectedPicture(at: place, to: wish, mayLoad: !wish.isFromCacheOnly)
        }
        var cached = memory[place]
        if cached == nil, case .success(let found) = expectedPicture(at: place, to: wish, mayLoad: false) {
            cached = found.version
        }
        guard let cached else { return expectedPicture(at: place, to: wish, mayLoad: true) }
        return expectedRefreshed(cached, at: place, to: wish)
    }

    /// Returns the predicted result of revalidating a cached picture.
    private mutating func expectedRefreshed(
        _ cached: Int, at place: RandomPlace, to wish: RandomWish
    ) -> Result<Found, Failure> {
        let kept = disk[place.original]
        let source = place.source
        guard let version = expectLoad(of: source, retryCount: wish.retryCount, copy: kept) else {
            return .failure(Failure(code: source.failure ?? .loadFailed))
        }
        if kept == version {
            if cached != version { expectMaking(of: version, at: place) }
            return .success((version, .revalidated))
        }
        forget(source)
        expectStore(at: place.original, version)
        expectMaking(of: version, at: place)
        return .success((version, .loader))
    }

    /// Returns the predicted result from disk or, if allowed, from the loader.
    private mutating func expectedPicture(
        at place: RandomPlace, to wish: RandomWish, mayLoad: Bool
    ) -> Result<Found, Failure> {
        if place != place.original, let version = disk[place] {
            expected.coder.begun += 1
            expected.coder.decoded += 1
            memory[place] = version
            return .success((version, .disk))
        }
        if let version = disk[place.original] {
            expectMaking(of: version, at: place)
            return .success((version, .disk))
        }
        guard mayLoad else { return .failure(Failure(code: .notCached)) }
        guard let version = expectLoad(of: place.source, retryCount: wish.retryCount) else {
            return .failure(Failure(code: place.source.failure ?? .loadFailed))
        }
        guard place.source != .damaged else {
            expected.coder.begun += 1
            expected.coder.refused += 1
            return .failure(Failure(code: .badData))
        }
        expectStore(at: place.original, version)
        expectMaking(of: version, at: place)
        return .success((version, .loader))
    }

    private struct Failure: Error {
        let code: ImageError.Code
    }

    /// Predicts a load and its retries. Returns the version that it loads or confirms; nil if it fails.
    /// - Parameter copy: The version of the cached copy.
    private mutating func expectLoad(of source: RandomSource, retryCount: Int, copy: Int? = nil) -> Int? {
        var tally = expected.loads[source] ?? TallyingLoader.Tally()
        defer { expected.loads[source] = tally }
        let version = versions[source, default: 0]
        switch source {
        case .missing, .given:
            tally.begun += 1
            tally.failed += 1
            return nil
        case .flaky:
            let (failed, retries) = (min(failuresLeft, retryCount + 1), min(failuresLeft, retryCount))
            failuresLeft -= failed
            tally.failed += failed
            expected.retryCount += retries
            if retries > 0 { expected.issues[.connectionFailed, default: 0] += retries }
            tally.begun += retries + 1
            guard failed <= retryCount else { return nil }
            tally.completed += 1
        default:
            tally.begun += 1
            // Sources with validators confirm the copy; others send it again.
            if copy == version, source.validators(version) != nil { tally.confirmed += 1 } else { tally.completed += 1 }
        }
        return version
    }

    /// Predicts making a picture from an original.
    private mutating func expectMaking(of version: Int, at place: RandomPlace) {
        expected.coder.begun += 1
        expected.coder.decoded += 1
        if place.variant.isTaller { expected.transformCount += 1 }
        expectVariant(at: place, version)
    }

    /// Predicts storing a picture.
    private mutating func expectVariant(at place: RandomPlace, _ version: Int) {
        memory[place] = version
        // The original is stored unmodified.
        guard !place.variant.isOriginalAgain else { return }
        expected.coder.encoded += 1
        expectStore(at: place, version)
    }

    private mutating func expectStore(at place: RandomPlace, _ version: Int) {
        expected.stores[place, default: 0] += 1
        disk[place] = version
    }

    /// Checks that both tiers contain exactly the predicted pictures.
    func checkCaches() async throws {
        for (key, place) in places {
            let image = bench.memory.peek(at: key)
            let picture = memory[place].map { RandomPicture(place.source, version: $0) }
            #expect(image.flatMap { RandomPicture($0) } == picture, "\(key) in memory: \(comment)")
            #expect(image.map { $0.size == place.variant.size(of: place.source) } != false, "\(key): \(comment)")
            var version: Int?
            if let entry = try bench.data.peek(at: key) {
                let picture = RandomPicture(try await bench.manager.decode(entry.data))
                #expect(picture?.source == place.source, "\(key): \(comment)")
                version = picture?.version
            }
            #expect(version == disk[place], "\(key): \(comment)")
        }
    }
}
