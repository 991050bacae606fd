import Calotype
import CalotypeTesting
import Testing

@Suite(.timeLimit(.minutes(15)))
struct DataCacheCheckTests {
    // MARK: Conforming caches

    /// A transform that disguises data, to show that data passes through it in both directions.
    private struct HidingTransform: DataTransform {
        let identity = "hiding"

        func encode(_ bytes: Data) throws -> Data { Data(bytes.map { $0 ^ 0xa5 }) }
        func decode(_ bytes: Data) throws -> Data { Data(bytes.map { $0 ^ 0xa5 }) }
    }

    @Test(arguments: [false, true])
    func `the disk cache passes every check, with a transform and without`(hides: Bool) async {
        let directories = TemporaryDirectories()
        @Sendable func cache(at directory: URL, _ time: any TimeSource) -> DiskCache {
            DiskCache(
                at: directory, configuration: .init(maxAge: .seconds(30 * 86_400)),
                transform: hides ? HidingTransform() : nil, time: time)
        }
        let findings = await checkDataCache { time in
            cache(at: directories.make(), time)
        } reopen: { time in
            cache(at: try #require(directories.last), time)
        }
        #expect(findings == [])
    }

    @Test func `the in-memory data cache passes every check`() async {
        let findings = await checkDataCache { InMemoryDataCache(time: $0) }
        #expect(findings == [])
    }

    @Test func `a cache without a defect passes every check`() async {
        #expect(await Self.findings(of: nil) == [])
    }

    /// Returns the findings for a cache that can be reopened.
    private static func findings(
        of defect: DataCacheDefect?, by checks: Set<DataCacheCheck> = Set(DataCacheCheck.allCases)
    ) async -> [DataCacheFinding] {
        let last = Lock<FaultyDataCache?>(nil)
        return await checkDataCache(checks: checks) { time in
            let cache = FaultyDataCache(defect, time: time)
            last.withLock { $0 = cache }
            return cache
        } reopen: { _ in
            FaultyDataCache(reopening: try #require(last.withLock { $0 }))
        }
    }

    /// A cache that cannot remove by tag: it does not implement that method.
    private final class PlainCache: DataCache {
        private let cache: InMemoryDataCache

        init(_ cache: InMemoryDataCache) { self.cache = cache }

        func entry(for key: VariantKey) throws -> CacheEntry? { try cache.entry(for: key) }
        func contains(_ key: VariantKey) throws -> Bool { try cache.contains(key) }
        func store(_ entry: CacheEntry, for key: VariantKey) throws { try cache.store(entry, for: key) }
        func remove(_ key: VariantKey) throws { try cache.remove(key) }
        func removeAll(of source: SourceKey) throws { try cache.removeAll(of: source) }
        func clear() throws { try cache.clear() }
    }

    @Test func `a cache that cannot remove by tag or age passes the other checks, also after reopening`() async {
        let last = Lock<PlainCache?>(nil)
        let findings = await checkDataCache { time in
            let cache = PlainCache(InMemoryDataCache(time: time))
            last.withLock { $0 = cache }
            return cache
        } reopen: { _ in
            try #require(last.withLock { $0 })
        }
        #expect(findings.map(\.check) == [.tags, .age])
    }

    /// A cache whose own clock is a year ahead.
    @Test func `a cache with its own clock passes the checks that do not need the given one`() async {
        let checks = Set(DataCacheCheck.allCases).subtracting([.expiring, .age])
        let findings = await checkDataCache(checks: checks) { time in
            InMemoryDataCache(time: ManualTime(wallTime: time.wallTime() + 365 * 86_400))
        }
        #expect(findings == [])
    }

    @Test func `a cache that cannot be opened again is not checked for that`() async {
        let findings = await checkDataCache(checks: [.reopening]) { FaultyDataCache(.keepsEntriesToItself, time: $0) }
        #expect(findings == [])
    }

    // MARK: Defective caches

    @Test(arguments: DataCacheDefect.allCases)
    func `a defect is found by the check that should`(_ defect: DataCacheDefect) async {
        #expect(await Self.findings(of: defect, by: [defect.check]).map(\.check) == [defect.check])
    }

    @Test func `every check is shown to find something`() {
        #expect(Set(DataCacheDefect.allCases.map(\.check)) == Set(DataCacheCheck.allCases))
    }

    @Test func `a finding names the place, the problem and the remedy`() async throws {
        let findings = await checkDataCache(checks: [.containing]) { FaultyDataCache(.containsWholeSources, time: $0) }
        let finding = try #require(findings.first)
        #expect(
            finding.description
                == "containing: expected `contains` to return false, as a read does, but it returns true; "
                + "look up the whole key, including the variant")
    }

    @Test func `the advice matches the check`() async throws {
        let advice: [DataCacheDefect: String] = [
            .removesTagsByPattern: "compare whole tags: without patterns, case folding, or an end at a zero byte",
            .countsAskingAsUse: "record no use in `contains`",
            .answersWithoutUse: "record a use if `immediateEntry` returns an entry",
            .answersWhatExpired: "compare `expiration` with the clock there too",
            .answersUncounted: "count immediate answers like reads, and do not count `.unknown`",
            .readsWhatExpired: "compare `expiration` with the clock in reads",
        ]
        for (defect, advice) in advice {
            let finding = try #require(await Self.findings(of: defect, by: [defect.check]).first)
            #expect(finding.message.hasSuffix("; \(advice)"))
            #expect(!finding.message.contains(",,"))
        }
    }

    @Test func `an error of a cache is a finding, and so is a cache that cannot be created`() async {
        let thrown = await checkDataCache(checks: [.removing]) { FaultyDataCache(.throwsForMissing, time: $0) }
        #expect(thrown.first?.message.contains("it threw 'Missing()'") == true)
        let none = await checkDataCache(checks: [.keys, .age]) { _ in throw FaultyDataCache.Missing() }
        #expect(none.map(\.check) == [.keys, .age])
    }

    @Test func `only the given checks are run`() async {
        let findings = await checkDataCache(checks: [.keys]) { FaultyDataCache(.clearsHalf, time: $0) }
        #expect(findings == [])
    }
}
