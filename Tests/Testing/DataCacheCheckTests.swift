import Calotype
import CalotypeTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DataCacheCheckTests {
    // MARK: Caches that keep the contract

    /// Hides what it is given, and shows that it goes through both ways.
    private struct HidingTransform: DataTransform {
        let identity = "hiding"

        func encode(_ bytes: Data) throws -> Data { Data(bytes.map { $0 ^ 0xa5 }) }
        func decode(_ bytes: Data) throws -> Data { Data(bytes.map { $0 ^ 0xa5 }) }
    }

    @Test(arguments: [false, true])
    func `the disk cache passes every check, with a transform and without`(hides: Bool) async {
        let folders = TemporaryFolders()
        let findings = await checkDataCache { time in
            DiskCache(
                at: folders.make(), configuration: .init(maxAge: .seconds(30 * 86_400)),
                transform: hides ? HidingTransform() : nil, time: time)
        }
        #expect(findings == [])
    }

    @Test func `the cache in a dictionary passes every check`() async {
        let findings = await checkDataCache { InMemoryDataCache(time: $0) }
        #expect(findings == [])
    }

    @Test func `a cache without a defect passes every check`() async {
        let findings = await checkDataCache { FaultyDataCache(time: $0) }
        #expect(findings == [])
    }

    // MARK: Caches that do not

    @Test(arguments: DataCacheDefect.allCases)
    func `a defect is found by the check that should`(_ defect: DataCacheDefect) async {
        let findings = await checkDataCache(checks: [defect.check]) { FaultyDataCache(defect, time: $0) }
        #expect(findings.map(\.check) == [defect.check])
    }

    @Test func `every check is shown to find something`() {
        #expect(Set(DataCacheDefect.allCases.map(\.check)) == Set(DataCacheCheck.allCases))
    }

    @Test func `a finding says where, what and what to do`() async throws {
        let findings = await checkDataCache(checks: [.containing]) { FaultyDataCache(.containsWholeSources, time: $0) }
        let finding = try #require(findings.first)
        #expect(
            finding.description
                == "containing: expected `contains` to say false, as a read does, but it says true; "
                + "look for the whole key, the variant too")
    }

    @Test func `what a cache throws is a finding, and so is a cache that cannot be made`() async {
        let thrown = await checkDataCache(checks: [.removing]) { FaultyDataCache(.throwsForMissing, time: $0) }
        #expect(thrown.first?.message.contains("it threw 'Missing()'") == true)
        let none = await checkDataCache(checks: [.keys, .age]) { _ in throw FaultyDataCache.Missing() }
        #expect(none.map(\.check) == [.keys, .age])
    }

    @Test func `what was not to be checked is not`() async {
        let findings = await checkDataCache(checks: [.keys]) { FaultyDataCache(.clearsHalf, time: $0) }
        #expect(findings == [])
    }
}
