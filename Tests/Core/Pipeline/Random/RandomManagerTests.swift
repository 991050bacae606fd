import CalotypeTesting
import Testing

@testable import Calotype

/// Random requests with all options, prefetching, stores and removals, with checks of invariants.
///
/// The variable `CALOTYPE_SEED` of the environment selects a single seed.
@Suite(.timeLimit(.minutes(5)))
struct RandomManagerTests {
    @Test(arguments: RandomSeeds.all)
    func `every request ends once and correctly, and caches hold the data of the sources`(seed: UInt64) async throws {
        var run = try RandomManagerRun(seed: seed)
        try await run.play()
        try await run.settle()
        let comment = RandomSeeds.comment(seed)
        for request in run.requests { await check(request, of: run, seed: seed) }
        for list in run.lists { await check(list, comment) }
        run.bench.checkStatistics(handStored: run.handStored, isExact: false, comment)
        await checkEnds(of: run, comment)
        let places = try await run.bench.places()
        try await checkCaches(of: run, places, comment)
        try await checkGiven(of: run, places, comment)
        for source in RandomSource.allCases where source != .given { try await checkAnew(source, of: run, comment) }
    }

    @Test(arguments: RandomSeeds.all)
    func `without cancellation all work is done exactly once`(seed: UInt64) async throws {
        var rounds = try await RandomRounds(seed: seed)
        for _ in 0..<40 { try await rounds.play() }
        try await rounds.bench.settle()
        rounds.bench.checkStatistics(handStored: rounds.handStored, isExact: true, RandomSeeds.comment(seed))
        try await rounds.checkCaches()
    }

    private func check(_ request: RandomManagerRun.Request, of run: RandomManagerRun, seed: UInt64) async {
        let wish = request.wish
        let comment = RandomSeeds.comment(seed, "\(wish)")
        let story = await request.story.value
        #expect(story.ends.count == 1 && !story.goesOnAfterItsEnd, comment)
        #expect(wish.showsPlaceholder || story.previews.isEmpty, comment)
        #expect(story.previews.allSatisfy { $0.isIdentical(to: run.bench.placeholder) }, comment)
        let showsCached = wish.isRefreshed && !wish.isFromCacheOnly
        #expect(story.cached.count <= (showsCached ? wish.asked.count : 0), comment)
        for response in story.cached {
            #expect(run.mayAnswer(response.image, wish), "delivered a wrong cached image: \(comment)")
        }
        // A late listener receives the same result.
        let error = await imageError { try await request.task.response }
        switch story.ends.first {
        case .success(let response)?:
            #expect(error == nil, comment)
            let image = response.image
            let picture = RandomPicture(image)
            let text = String(describing: picture)
            #expect(run.mayAnswer(image, wish), "delivered \(text) of \(image.size): \(comment)")
            let isCached = response.source == .memory || response.source == .disk
            #expect(isCached || !wish.isFromCacheOnly, "delivered from \(response.source): \(comment)")
            guard let least = request.least else { break }
            let isGiven = picture?.source == .given && (picture?.version ?? 0) >= least
            #expect(isGiven, "delivered \(text) instead of the directly stored image: \(comment)")
        case .failure(let failure)?:
            #expect(error?.code == failure.code, comment)
            guard failure.code != .cancelled else {
                #expect(request.wasCancelled, comment)
                break
            }
            #expect(failure.code == wish.failure, comment)
            #expect(request.least == nil, "the directly stored image was not found: \(comment)")
            let count = wish.asked.count
            #expect(failure.attempts.count == (count > 1 ? count : 0), comment)
        case nil:
            break
        }
    }

    private func check(_ list: RandomManagerRun.List, _ comment: Comment) async {
        let result = await list.token.completion
        let ended = result.finished + result.skipped
        #expect(result.total == list.wishes.count, comment)
        #expect(list.wasCancelled ? ended <= result.total : ended == result.total, "\(result): \(comment)")
        let limit = list.wishes.count(where: { $0.canSucceed })
        #expect(result.finished <= limit, "\(result) of \(list.wishes): \(comment)")
    }

    /// Checks that the manager's counts of requests match the results of the tasks and of the prefetcher.
    private func checkEnds(of run: RandomManagerRun, _ comment: Comment) async {
        var answers: [ImageResponse.Source: Int] = [:]
        var failures: [ImageError.Code: Int] = [:]
        for request in run.requests {
            switch await request.story.value.ends.first {
            case .success(let response)?: answers[response.source, default: 0] += 1
            case .failure(let error)?: failures[error.code, default: 0] += 1
            case nil: break
            }
        }
        // The last requests of the prefetcher were all loaded.
        var (finished, skipped, unknown) = (run.prefetchWidth, 0, 0)
        answers[.loader, default: 0] += run.prefetchWidth
        for list in run.lists {
            let result = await list.token.completion
            finished += result.finished
            skipped += result.skipped
            unknown += result.remaining
        }
        let statistics = run.bench.manager.statistics
        let told: [ImageResponse.Source: Int] = [
            .memory: statistics.memoryHits, .disk: statistics.diskHits, .revalidated: statistics.revalidations,
            .loader: statistics.loads,
        ]
        for (source, count) in told { #expect(count >= answers[source, default: 0], comment) }
        for (code, count) in failures where code != .cancelled {
            #expect(statistics.failures[code, default: 0] >= count, comment)
        }
        let ownAnswers = answers.values.reduce(-run.prefetchWidth, +)
        let ownFailures = failures.filter { $0.key != .cancelled }.values.reduce(0, +)
        let answered = statistics.finished - ownAnswers
        let failed = statistics.failures.values.reduce(0, +) - ownFailures
        let cancelled = statistics.cancellations - failures[.cancelled, default: 0]
        // Images that are on disk, and are to go only there, are found by a cache query without a request.
        let least = run.destination == .disk ? run.prefetchWidth : finished
        #expect(answered >= least && answered <= finished + unknown, comment)
        // Cancelling all requests also cancels those of the prefetcher, which count as skipped.
        #expect(failed >= 0 && cancelled >= 0, comment)
        #expect(failed + cancelled >= skipped && failed + cancelled <= skipped + unknown, comment)
        #expect(answered + failed + cancelled <= finished + skipped + unknown, comment)
    }

    /// Checks that both tiers contain only correct images and entries.
    private func checkCaches(
        of run: RandomManagerRun, _ places: [VariantKey: RandomPlace], _ comment: Comment
    ) async throws {
        let bench = run.bench
        for (key, place) in places {
            guard let image = bench.memory.peek(at: key) else { continue }
            #expect(run.has(image, of: place.source, as: place.variant), "\(key) in memory: \(comment)")
        }
        for key in bench.data.keys {
            guard let place = places[key], let entry = try bench.data.peek(at: key) else {
                Issue.record("no request has the key \(key): \(comment)")
                continue
            }
            let image = try await bench.manager.decode(entry.data)
            #expect(run.has(image, of: place.source, as: place.variant), "\(key): \(comment)")
            guard key.isOriginal, let picture = RandomPicture(image) else { continue }
            let validators = place.source.validators(picture.version)
            #expect(
                LoadHead(entry).validators == validators,
                "the validators of \(key) belong to another version: \(comment)")
        }
    }

    /// Checks that manually stored pictures that were not removed are present, and returned by requests.
    private func checkGiven(
        of run: RandomManagerRun, _ places: [VariantKey: RandomPlace], _ comment: Comment
    ) async throws {
        let bench = run.bench
        for (key, place) in places where place.source == .given {
            guard let version = run.given[place.variant] else { continue }
            let picture = RandomPicture(.given, version: version)
            let remembered = bench.memory.peek(at: key)
            #expect(remembered.map { RandomPicture($0) == picture } != false, "\(key) in memory: \(comment)")
            let entry = try #require(try bench.data.peek(at: key), "\(key): \(comment)")
            #expect(RandomPicture(try await bench.manager.decode(entry.data)) == picture, "\(key): \(comment)")
            let response = try await bench.manager.response(for: bench.request(place))
            #expect(RandomPicture(response.image) == picture, "\(key): \(comment)")
            #expect(response.source == (remembered == nil ? .disk : .memory), "\(key): \(comment)")
        }
    }

    /// Checks that a plain request returns the cached or the current picture, and one that asks the source the current
    /// one.
    private func checkAnew(_ source: RandomSource, of run: RandomManagerRun, _ comment: Comment) async throws {
        let bench = run.bench
        let request = ImageRequest(source.url)
        guard source.hasPicture else {
            let error = await imageError { try await bench.manager.response(for: request) }
            #expect(error?.code == source.failure, "\(source): \(comment)")
            return
        }
        let key = try await bench.manager.cacheKey(for: request)
        let now = RandomPicture(source, version: run.version(of: source))
        var expected: (picture: RandomPicture?, source: ImageResponse.Source) = (now, .loader)
        if let entry = try bench.data.peek(at: key) {
            expected = (RandomPicture(try await bench.manager.decode(entry.data)), .disk)
        }
        if let image = bench.memory.peek(at: key) { expected = (RandomPicture(image), .memory) }
        let response = try await bench.manager.response(for: request)
        #expect(RandomPicture(response.image) == expected.picture, "\(source): \(comment)")
        #expect(response.source == expected.source, "\(source): \(comment)")

        let refreshed = try await bench.manager.response(for: request.with([.refreshCached]))
        #expect(RandomPicture(refreshed.image) == now, "\(source), refreshed: \(comment)")
    }
}
