import CalotypeTesting
import Testing

@testable import Calotype

extension RandomBench {
    /// The images that were stored manually, which no stage counts.
    struct HandStores: Equatable {
        var count = 0
        var byteCount = 0
    }

    /// Compares the manager's statistics with the counts of the fakes. No work may be in progress.
    ///
    /// The comparison is exact if nothing was cancelled. Otherwise a step may have been cancelled after its fake had
    /// done its part, or before it was called, so only lower and upper bounds are checked.
    func checkStatistics(handStored: HandStores, isExact: Bool, _ comment: Comment) {
        let statistics = manager.statistics
        checkRequests(statistics, comment)
        for (stage, figures) in statistics.stages {
            #expect(figures.running == 0, comment)
            #expect(figures.joins == listener.counts.joins[stage, default: 0], comment)
            #expect(figures.misses == 0 || stage == .query, comment)
            #expect(figures.postponements == 0 || stage == .decode, comment)
        }
        checkLoads(statistics, isExact: isExact, comment)
        checkDecodes(statistics[.decode], isExact: isExact, comment)
        // No processor is installed, but resolving alternative URLs nevertheless takes a step.
        #expect(statistics[.resolve].failures == 0, comment)
        #expect(statistics[.resolve].cancellations == 0 || !isExact, comment)

        // Work on a thread counts as cancelled at its end, not before, so the fake sees all started work.
        let transform = statistics[.transform]
        #expect(transform.latency.count + transform.cancellations == taller.callCount, comment)
        #expect(transform.failures == 0 && (transform.cancellations == 0 || !isExact), comment)

        let read = data.tally
        let query = statistics[.query]
        #expect(query.misses == read.misses, comment)
        // Other queries found entries that were being stored.
        #expect(query.latency.count - query.misses >= read.hits, comment)
        #expect(query.byteCount >= read.readByteCount, comment)
        let encode = statistics[.encode]
        #expect(encode.latency.count == coder.tally.encoded, comment)
        let store = statistics[.store]
        #expect(store.latency.count + handStored.count == read.stores.values.reduce(0, +), comment)
        #expect(store.byteCount + handStored.byteCount == read.storedByteCount, comment)
        #expect(query.cancellations == 0 || !isExact, comment)
        for stage in [query, encode, store] { #expect(stage.failures == 0, comment) }
        for stage in [encode, store] { #expect(stage.cancellations == 0, comment) }

        let memoryFigures = statistics.caches.memory ?? MemoryCacheStatistics()
        #expect(memoryFigures.hits + memoryFigures.weakHits == memory.tally.found, comment)
        #expect(memoryFigures.misses == memory.tally.missed, comment)
        #expect(memoryFigures.insertions == memory.tally.stored, comment)
        #expect(statistics.memoryHits <= memory.tally.found, comment)
    }

    private func checkRequests(_ statistics: ManagerStatistics, _ comment: Comment) {
        let told = listener.counts
        #expect(statistics.inFlight == 0, comment)
        #expect(told.lostCount == 0, comment)
        #expect(told.begun == told.ended, comment)
        #expect(statistics.begun == told.begun, comment)
        #expect(statistics.memoryHits == told.answers[.memory, default: 0], comment)
        #expect(statistics.diskHits == told.answers[.disk, default: 0], comment)
        #expect(statistics.revalidations == told.answers[.revalidated, default: 0], comment)
        #expect(statistics.loads == told.answers[.loader, default: 0], comment)
        #expect(statistics.cancellations == told.failures[.cancelled, default: 0], comment)
        #expect(statistics.failures == told.failures.filter { $0.key != .cancelled }, comment)
        #expect(statistics.issues == told.issues, comment)
    }

    private func checkLoads(_ statistics: ManagerStatistics, isExact: Bool, _ comment: Comment) {
        let (load, seen) = (statistics[.load], loads.total)
        #expect(seen.active == 0, comment)
        #expect(load.latency.count + load.failures + load.cancellations == seen.begun, comment)
        #expect(load.failures == seen.failed, comment)
        #expect(load.latency.count <= seen.completed + seen.confirmed, comment)
        #expect(load.cancellations >= seen.cancelled, comment)
        let sizes = Dictionary(
            uniqueKeysWithValues: RandomSource.allCases.map { ($0.url.absoluteString, $0.byteCount) })
        let sent = loads.tallies.reduce(0) { $0 + $1.value.completed * sizes[$1.key, default: Self.lastFile.count] }
        #expect(load.byteCount <= sent, comment)
        // A load that is to be retried may be cancelled before the retry.
        let failed = loads.tallies[RandomSource.flaky.url.absoluteString]?.failed ?? 0
        #expect(loads.retryCount <= statistics.retries && statistics.retries <= failed, comment)
        guard isExact else { return }
        #expect(load.cancellations == 0, comment)
        #expect(load.byteCount == sent, comment)
        #expect(statistics.retries == loads.retryCount, comment)
    }

    private func checkDecodes(_ decode: StageStatistics, isExact: Bool, _ comment: Comment) {
        let seen = coder.tally
        #expect(decode.failures == seen.refused, comment)
        #expect(decode.latency.count <= seen.decoded, comment)
        #expect(decode.latency.count + decode.cancellations >= seen.decoded, comment)
        let ended = decode.latency.count + decode.failures + decode.cancellations + decode.postponements
        #expect(ended >= seen.begun, comment)
        guard isExact else { return }
        #expect(decode.cancellations == 0, comment)
        #expect(decode.latency.count == seen.decoded && ended == seen.begun, comment)
    }
}
