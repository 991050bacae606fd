import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct CountersTests {
    private let counters = Counters()

    private var snapshot: ManagerStatistics { counters.snapshot(caches: CacheStatistics()) }

    @Test func `counts from many threads are exact`() async {
        let ids = await withTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<8 {
                group.addTask { [counters] in
                    (0..<100).map { _ in
                        counters.requestHitMemory()
                        counters.requestBegan()
                        counters.began(.decode)
                        counters.ended(.decode, after: .milliseconds(2), byteCount: 10)
                        counters.requestEnded(.failure(ImageError(.notFound, stage: .load, message: "gone")))
                        return counters.makeID()
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(ids).count == 800)
        #expect(snapshot.memoryHits == 800)
        #expect(snapshot.failures == [.notFound: 800])
        #expect(snapshot.inFlight == 0)
        #expect(snapshot.begun == 1600)
        #expect(snapshot[.decode].running == 0)
        #expect(snapshot[.decode].byteCount == 8000)
        #expect(snapshot[.decode].latency.count == 800)
        #expect(snapshot[.decode].latency.total == .milliseconds(1600))
    }

    @Test func `the outcomes of a step are counted separately`() {
        for _ in 0..<7 { counters.began(.query) }
        counters.ended(.query, after: .zero, byteCount: 7)
        counters.missed(.query, after: .zero)
        counters.missed(.query, after: .zero)
        counters.postponed(.query)
        counters.failed(.query, isCancelled: false)
        counters.failed(.query, isCancelled: true)
        counters.joined(.query)
        var expected = StageStatistics()
        expected.running = 1
        expected.misses = 2
        expected.failures = 1
        expected.postponements = 1
        expected.cancellations = 1
        expected.joins = 1
        expected.byteCount = 7
        for _ in 0..<3 { expected.latency.add(.zero) }
        #expect(snapshot[.query] == expected)
        #expect(snapshot[.load] == StageStatistics())
    }

    @Test func `each stage has its own counters, found by name`() {
        let names = ["resolve", "query", "load", "decode", "transform", "encode", "store"]
        for (index, name) in names.enumerated() {
            for _ in 0...index { counters.joined(ImageError.Stage(rawValue: name)) }
        }
        let stages: [ImageError.Stage] = [.resolve, .query, .load, .decode, .transform, .encode, .store]
        #expect(stages.map { snapshot[$0].joins } == [1, 2, 3, 4, 5, 6, 7])
        #expect(snapshot.stages.count == 7)
    }

    @Test func `extreme numbers do not trap`() {
        for _ in 0..<3 {
            counters.began(.decode)
            counters.ended(.decode, after: .seconds(Int64.min), byteCount: .min)
        }
        #expect(snapshot[.decode].byteCount == 0)
        #expect(snapshot[.decode].latency.total == .zero)
        for _ in 0..<30 {
            counters.began(.decode)
            counters.ended(.decode, after: .seconds(Int64.max), byteCount: .max)
        }
        #expect(snapshot[.decode].byteCount == .max)
        #expect(snapshot[.decode].latency.total == .seconds(Int64.max))
        #expect(snapshot[.decode].latency.count == 33)
        #expect(!snapshot.prometheusText.isEmpty)
    }

    @Test func `an unknown stage does not trap`() {
        counters.began(ImageError.Stage(rawValue: "mine"))
        #expect(snapshot.stages.count == Counters.stages.count)
        #expect(snapshot[ImageError.Stage(rawValue: "mine")] == StageStatistics())
    }

    @Test func `a snapshot survives a round trip through JSON`() throws {
        counters.requestHitMemory()
        counters.requestBegan()
        counters.requestEnded(.failure(ImageError(.notFound, stage: .load, message: "gone")))
        counters.noteIssue(ImageError(.cacheFailed, stage: .store, message: "full"))
        counters.retried()
        counters.began(.load)
        counters.ended(.load, after: .milliseconds(5), byteCount: 100)
        var caches = CacheStatistics(memory: MemoryCacheStatistics(), disk: DataCacheStatistics())
        caches.memory?.evictions = 3
        caches.disk?.reading.total = .seconds(1)
        let statistics = counters.snapshot(caches: caches)
        let data = try JSONEncoder().encode(statistics)
        #expect(try JSONDecoder().decode(ManagerStatistics.self, from: data) == statistics)
        let text = String(decoding: data, as: UTF8.self)
        #expect(text.contains(#""failures":{"notFound":1}"#))
        #expect(text.contains(#""load":{"#))
    }
}
