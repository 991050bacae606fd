import Calotype
import CalotypeTesting
import Testing

@Suite(.timeLimit(.minutes(15)))
struct MemoryCacheCheckTests {
    // MARK: Conforming caches

    @Test(arguments: [true, false])
    func `our own cache passes every check with either policy`(findsLivingImages: Bool) async {
        let findings = await checkMemoryCache { time in
            BoundedMemoryCache(
                costLimit: 1 << 20, findsLivingImages: findsLivingImages, trimsUnderPressure: false, time: time)
        }
        #expect(findings == [])
        let others = await checkMemoryCache { time in
            BoundedMemoryCache(
                costLimit: 1 << 20, countLimit: 100, findsLivingImages: findsLivingImages, trimsUnderPressure: false,
                policy: .lru, time: time)
        }
        #expect(others == [])
    }

    @Test func `a cache without a defect passes every check`() async {
        let findings = await checkMemoryCache { FaultyMemoryCache(time: $0) }
        #expect(findings == [])
    }

    /// A minimal implementation of the protocol, without listing and statistics.
    private final class PlainCache: MemoryCache {
        private let images = Lock<[VariantKey: Image]>([:])

        func image(for key: VariantKey) -> Image? { images.withLock { $0[key] } }
        func contains(_ key: VariantKey) -> Bool { images.withLock { $0[key] != nil } }
        func store(_ image: Image, for key: VariantKey, timeToLive: Duration?) { images.withLock { $0[key] = image } }
        func remove(_ key: VariantKey) { images.withLock { $0[key] = nil } }
        func removeAll(of source: SourceKey) {
            images.withLock { images in images = images.filter { $0.key.source != source } }
        }
        func clear() { images.withLock { $0 = [:] } }
    }

    @Test func `a cache does not have to list or count its images`() async {
        let findings = await checkMemoryCache { _ in PlainCache() }
        #expect(findings.map(\.check) == [.expiry])
    }

    // MARK: Defective caches

    @Test(arguments: MemoryCacheDefect.allCases)
    func `a defect is found by the check that should`(_ defect: MemoryCacheDefect) async {
        let findings = await checkMemoryCache(checks: [defect.check]) { FaultyMemoryCache(defect, time: $0) }
        #expect(findings.map(\.check) == [defect.check])
    }

    @Test func `every check is shown to find something`() {
        #expect(Set(MemoryCacheDefect.allCases.map(\.check)) == Set(MemoryCacheCheck.allCases))
    }

    @Test func `a finding names the place, the problem and the remedy`() async throws {
        let findings = await checkMemoryCache(checks: [.storing]) { FaultyMemoryCache(.keepsTheFirst, time: $0) }
        let finding = try #require(findings.first)
        #expect(
            finding.description
                == "storing: expected the image that was stored, in place of another one, "
                + "but there is another one of 8x1; keep the image that was stored last")
    }

    @Test func `only the given checks are run`() async {
        let findings = await checkMemoryCache(checks: [.keys]) { FaultyMemoryCache(.clearsNothing, time: $0) }
        #expect(findings == [])
    }

    // MARK: Policies

    @Test func `policies that keep the contract pass`() {
        #expect(checkEvictionPolicy(.s3FIFO) == [])
        #expect(checkEvictionPolicy(.lru) == [])
        #expect(checkEvictionPolicy(FaultyEvictionPolicy()) == [])
    }

    @Test(arguments: EvictionPolicyDefect.allCases)
    func `a defect of a policy is found`(_ defect: EvictionPolicyDefect) {
        #expect(!checkEvictionPolicy(FaultyEvictionPolicy(defect)).isEmpty)
    }

    @Test func `a finding about a policy names the problem and the remedy`() throws {
        let finding = try #require(checkEvictionPolicy(FaultyEvictionPolicy(.endsTooSoon)).first)
        #expect(
            finding.description
                == "expected `evict` to return one of the slots [19] after inserting them, but it returns nil; "
                + "keep exactly the slots that were inserted and neither removed nor evicted since")
    }
}
