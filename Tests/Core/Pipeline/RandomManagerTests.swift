import CalotypeTesting
import Testing

@testable import Calotype

/// Requests with everything that they can say, prefetching and removals at random, against what must hold whatever
/// happens.
@Suite(.timeLimit(.minutes(5)))
struct RandomManagerTests {
    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `every request ends once and rightly, and caches are left with what sources had`(seed: UInt64) async throws {
        var run = try RandomManagerRun(seed: seed)
        try await run.play()
        try await run.settle()
        for request in run.requests { await check(request, of: run, seed: seed) }
        for list in run.lists { await check(list, seed: seed) }
        try await checkCaches(of: run, seed: seed)
        for source in RandomSource.allCases { try await checkAnew(source, of: run, seed: seed) }
    }

    private func check(_ request: RandomManagerRun.Request, of run: RandomManagerRun, seed: UInt64) async {
        let wish = request.wish
        let story = await request.story.value
        #expect(story.ends.count == 1 && !story.goesOnAfterItsEnd, "seed \(seed): \(wish)")
        #expect(wish.showsStandIn || story.previews.isEmpty, "seed \(seed): \(wish)")
        #expect(story.previews.allSatisfy { $0.isIdentical(to: run.standIn) }, "seed \(seed): \(wish)")
        let showsCached = wish.isRefreshed && !wish.isFromCacheOnly
        #expect(story.cached.count <= (showsCached ? wish.asked.count : 0), "seed \(seed): \(wish)")
        for response in story.cached {
            #expect(run.mayAnswer(response.image, wish), "seed \(seed): \(wish) was shown a wrong picture")
        }
        // Who comes when all is over hears the same.
        let error = await imageError { try await request.task.response }
        switch story.ends.first {
        case .success(let response)?:
            #expect(error == nil, "seed \(seed): \(wish)")
            let image = response.image
            let picture = String(describing: RandomPicture(image))
            #expect(run.mayAnswer(image, wish), "seed \(seed): \(wish) gave \(picture) of \(image.size)")
            let isCached = response.source == .memory || response.source == .disk
            #expect(isCached || !wish.isFromCacheOnly, "seed \(seed): \(wish) came from \(response.source)")
        case .failure(let failure)?:
            #expect(error?.code == failure.code, "seed \(seed): \(wish)")
            guard failure.code != .cancelled else {
                #expect(request.wasCancelled, "seed \(seed): \(wish)")
                break
            }
            #expect(failure.code == wish.failure, "seed \(seed): \(wish)")
            let count = wish.asked.count
            #expect(failure.attempts.count == (count > 1 ? count : 0), "seed \(seed): \(wish)")
        case nil:
            break
        }
    }

    private func check(_ list: RandomManagerRun.List, seed: UInt64) async {
        let result = await list.token.completion
        let ended = result.finished + result.skipped
        #expect(result.total == list.wishes.count, "seed \(seed)")
        #expect(list.wasCancelled ? ended <= result.total : ended == result.total, "seed \(seed): \(result)")
        let limit = list.wishes.count(where: { $0.canSucceed })
        #expect(result.finished <= limit, "seed \(seed): \(result) of \(list.wishes)")
    }

    /// Both tiers have what belongs under their keys, and nothing else.
    private func checkCaches(of run: RandomManagerRun, seed: UInt64) async throws {
        let bench = run.bench
        var known: [VariantKey: (source: RandomSource, variant: RandomVariant)] = [:]
        for source in RandomSource.allCases {
            for variant in RandomVariant.all {
                let request = ImageRequest(source.url, context: variant.context)
                let key = try await bench.manager.cacheKey(for: request)
                known[key] = (source, variant)
            }
        }
        for (key, place) in known {
            guard let image = bench.memory.peek(at: key) else { continue }
            #expect(run.has(image, of: place.source, as: place.variant), "seed \(seed): \(key) in memory")
        }
        for key in bench.data.keys {
            guard let place = known[key], let entry = try bench.data.entry(for: key) else {
                Issue.record("seed \(seed): nobody has asked for \(key)")
                continue
            }
            let image = try await bench.manager.decode(entry.data)
            #expect(run.has(image, of: place.source, as: place.variant), "seed \(seed): \(key)")
            guard key.isOriginal, let picture = RandomPicture(image) else { continue }
            let validators = place.source.validators(picture.version)
            #expect(LoadHead(entry).validators == validators, "seed \(seed): what is said of \(key) is of its version")
        }
    }

    /// A plain request gives what a cache has, or else what the source has now; one that asks the source has that.
    private func checkAnew(_ source: RandomSource, of run: RandomManagerRun, seed: UInt64) async throws {
        let bench = run.bench
        let request = ImageRequest(source.url)
        guard source.hasPicture else {
            let error = await imageError { try await bench.manager.response(for: request) }
            #expect(error?.code == source.failure, "seed \(seed): \(source)")
            return
        }
        let key = try await bench.manager.cacheKey(for: request)
        let now = RandomPicture(source, version: run.version(of: source))
        var expected: (picture: RandomPicture?, source: ImageResponse.Source) = (now, .loader)
        var stored: RandomPicture?
        if let entry = try bench.data.entry(for: key) {
            stored = RandomPicture(try await bench.manager.decode(entry.data))
            expected = (stored, .disk)
        }
        if let image = bench.memory.peek(at: key) { expected = (RandomPicture(image), .memory) }
        let response = try await bench.manager.response(for: request)
        #expect(RandomPicture(response.image) == expected.picture, "seed \(seed): \(source)")
        #expect(response.source == expected.source, "seed \(seed): \(source)")

        let refreshed = try await bench.manager.response(for: request.with([.refreshCached]))
        // What is on disk is what the source is asked about; memory may have another, of a request that came later.
        guard stored == nil || stored == expected.picture else { return }
        #expect(RandomPicture(refreshed.image) == now, "seed \(seed): \(source), refreshed")
    }
}
