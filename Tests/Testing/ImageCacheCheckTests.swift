import Calotype
import CalotypeTesting
import Testing

@Suite(.timeLimit(.minutes(15)))
struct ImageCacheCheckTests {
    // MARK: Conforming caches

    private static func memory(_ time: any TimeSource) -> BoundedMemoryCache {
        BoundedMemoryCache(costLimit: 1 << 20, trimsUnderPressure: false, time: time)
    }

    private static func disk(at directory: URL, _ time: any TimeSource) -> DiskCache {
        DiskCache(at: directory, configuration: .init(maxAge: .seconds(30 * 86_400)), time: time)
    }

    @Test func `our own cache passes every check over an in-memory data cache`() async {
        let findings = await checkImageCache { time in
            TieredCache(memory: Self.memory(time), disk: InMemoryDataCache(time: time))
        }
        #expect(findings == [])
    }

    @Test func `our own cache passes every check over a disk cache`() async {
        let directories = TemporaryDirectories()
        let findings = await checkImageCache { time in
            TieredCache(memory: Self.memory(time), disk: Self.disk(at: directories.make(), time))
        }
        #expect(findings == [])
    }

    @Test(arguments: [CacheGroup.Policies(), CacheGroup.Policies(store: .concurrent, contains: .concurrent)])
    func `a group passes every check`(policies: CacheGroup.Policies) async {
        let findings = await checkImageCache { time in
            CacheGroup(
                [
                    TieredCache(memory: Self.memory(time), disk: InMemoryDataCache(time: time)),
                    // Stores go to all of them, and each counts its own. So there is only one memory tier, and an
                    // uncounted disk tier.
                    TieredCache(memory: nil, disk: InMemoryDataCache(time: time)),
                ], policies: policies)
        }
        #expect(findings == [])
    }

    @Test func `a group passes every check over tiers with statistics`() async {
        let directories = TemporaryDirectories()
        let findings = await checkImageCache { time in
            CacheGroup(
                (0..<2).map { _ in
                    TieredCache(memory: Self.memory(time), disk: Self.disk(at: directories.make(), time))
                })
        }
        #expect(findings == [])
    }

    @Test func `a cache with one tier passes the checks for that tier`() async {
        let ofMemory = await checkImageCache(checks: ImageCacheCheck.ofMemory) { time in
            TieredCache(memory: Self.memory(time), disk: nil)
        }
        #expect(ofMemory == [])
        let ofData = await checkImageCache(checks: ImageCacheCheck.ofDisk) { time in
            TieredCache(memory: nil, disk: InMemoryDataCache(time: time))
        }
        #expect(ofData == [])
    }

    @Test func `a cache without a defect passes every check`() async {
        let findings = await checkImageCache { FaultyImageCache(time: $0) }
        #expect(findings == [])
    }

    // MARK: Defective caches

    @Test(arguments: ImageCacheDefect.allCases)
    func `a defect is found by the check that should`(_ defect: ImageCacheDefect) async {
        let findings = await checkImageCache(checks: [defect.check]) { FaultyImageCache(defect, time: $0) }
        #expect(findings.map(\.check) == [defect.check])
    }

    @Test(arguments: MemoryCacheDefect.allCases)
    func `a defect of the memory tier is found by the check of that tier`(_ defect: MemoryCacheDefect) async {
        let findings = await checkImageCache(checks: [.memory(defect.check)]) { time in
            TieredCache(memory: FaultyMemoryCache(defect, time: time), disk: FaultyDataCache(time: time))
        }
        #expect(findings.map(\.check) == [.memory(defect.check)])
    }

    @Test(arguments: DataCacheDefect.allCases.filter { $0.check != .reopening })
    func `a defect of the disk tier is found by the check of that tier`(_ defect: DataCacheDefect) async {
        let findings = await checkImageCache(checks: [.data(defect.check)]) { time in
            TieredCache(memory: FaultyMemoryCache(time: time), disk: FaultyDataCache(defect, time: time))
        }
        #expect(findings.map(\.check) == [.data(defect.check)])
    }

    @Test func `every check is shown to find something`() {
        let ofOneTier = ImageCacheCheck.ofMemory.union(ImageCacheCheck.ofDisk)
        #expect(Set(ImageCacheDefect.allCases.map(\.check)).union(ofOneTier) == Set(ImageCacheCheck.allCases))
    }

    @Test func `a finding names the place, the problem and the remedy`() async throws {
        let ofBoth = await checkImageCache(checks: [.containing]) { FaultyImageCache(.stopsAtMemory, time: $0) }
        #expect(
            ofBoth.map(\.description) == [
                "containing: expected `contains` to return 'all' for a key in 'all' when asked about 'all', "
                    + "but it returns 'memory'; look only in the named tiers"
            ])
        let ofOne = await checkImageCache(checks: [.data(.containing)]) { time in
            TieredCache(disk: FaultyDataCache(.containsWholeSources, time: time))
        }
        #expect(
            ofOne.map(\.description) == [
                "data containing: expected `contains` to return false, as a read does, but it returns true; "
                    + "look up the whole key, including the variant"
            ])
    }

    @Test func `an error of a cache is a finding, in memory too, and so is a cache that cannot be created`() async {
        let checks: Set<ImageCacheCheck> = [.memory(.removing), .data(.removing), .removing]
        let thrown = await checkImageCache(checks: checks) { FaultyImageCache(.throwsForAbsent, time: $0) }
        #expect(thrown.map(\.check) == [.memory(.removing), .data(.removing), .removing])
        for finding in thrown { #expect(finding.message.contains("it threw 'Absent()'")) }
        let none = await checkImageCache(checks: checks) { _ in throw FaultyImageCache.Absent() }
        #expect(none.map(\.check) == thrown.map(\.check))
    }

    @Test func `only the given checks are run`() async {
        let findings = await checkImageCache(checks: [.removing]) { FaultyImageCache(.clearsMemoryAlone, time: $0) }
        #expect(findings == [])
    }
}
