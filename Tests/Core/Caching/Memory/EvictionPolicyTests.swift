import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct EvictionPolicyTests {
    /// The library's own policies.
    enum Kind: CaseIterable {
        case s3FIFO
        case lru

        var policy: any EvictionPolicy {
            switch self {
            case .s3FIFO: return S3FIFOPolicy()
            case .lru: return LRUPolicy()
            }
        }

        /// Returns a cache that does not return evicted images, even if they are retained.
        func cache(costLimit: Int? = nil, countLimit: Int = .max) -> BoundedMemoryCache {
            BoundedMemoryCache(
                costLimit: costLimit, countLimit: countLimit, findsLivingImages: false, policy: policy, pressure: nil)
        }
    }

    /// Evicts all slots. Returns them in order.
    private func drain(_ policy: inout some EvictionPolicy) -> [Int] {
        var order: [Int] = []
        while let slot = policy.evict() { order.append(slot) }
        return order
    }

    /// Returns an S3-FIFO policy whose main queue contains the slots `0..<count` at a cost of 1 each, and whose small
    /// queue is empty.
    private func makePolicy(withInMain count: Int) -> S3FIFOPolicy {
        var policy = S3FIFOPolicy()
        for slot in 0..<count {
            policy.insert(slot, fingerprint: slot, cost: 1)
            policy.touch(slot)
            policy.touch(slot)
        }
        // An unused slot, so large that the small queue evicts until it is the victim.
        policy.insert(count, fingerprint: -1, cost: 10 * count)
        _ = policy.evict()
        return policy
    }

    // MARK: Every policy

    @Test func `the library's own policies keep the contract`() {
        #expect(checkEvictionPolicy(.s3FIFO) == [])
        #expect(checkEvictionPolicy(.lru) == [])
    }

    @Test(arguments: EvictionPolicyTests.Kind.allCases, [1, 2, 3] as [UInt64])
    func `every slot that was inserted is evicted once unless it was removed`(kind: Kind, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var policy = kind.policy
        var present: Set<Int> = []
        for _ in 0..<5_000 {
            let slot = Int.random(in: 0..<40, using: &random)
            let fingerprint = Int.random(in: 0..<200, using: &random)
            let cost = Int.random(in: 0..<20, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<3:
                guard present.insert(slot).inserted else { continue }
                policy.insert(slot, fingerprint: fingerprint, cost: cost)
            case 3..<6:
                if present.contains(slot) { policy.touch(slot) }
            case 6:
                if present.contains(slot) { policy.replace(slot, fingerprint: fingerprint, cost: cost) }
            case 7:
                if present.remove(slot) != nil { policy.remove(slot) }
            default:
                let wasEmpty = present.isEmpty
                let victim = policy.evict()
                let wasPresent = victim.map { present.remove($0) != nil }
                let expected: Bool? = wasEmpty ? nil : true
                #expect(wasPresent == expected)
            }
        }
        while let victim = policy.evict() {
            let wasPresent = present.remove(victim) != nil
            #expect(wasPresent)
        }
        #expect(present.isEmpty)
    }

    @Test func `copies of a policy are independent`() {
        var one = S3FIFOPolicy()
        one.insert(0, fingerprint: 0, cost: 1)
        var other = one
        other.insert(1, fingerprint: 1, cost: 1)
        let orderOfOne = drain(&one)
        let orderOfOther = drain(&other)
        #expect(orderOfOne == [0])
        #expect(orderOfOther == [0, 1])
    }

    // MARK: LRU

    @Test func `LRU evicts in the order of the last use`() {
        var policy = LRUPolicy()
        for slot in 0..<6 { policy.insert(slot, fingerprint: slot, cost: 1) }
        policy.touch(1)
        policy.touch(0)
        policy.touch(0)
        policy.replace(3, fingerprint: 3, cost: 2)
        policy.remove(4)
        let order = drain(&policy)
        #expect(order == [2, 5, 1, 0, 3])
    }

    // MARK: S3-FIFO

    @Test func `S3-FIFO evicts entries used at most once and keeps those used more often`() {
        var policy = S3FIFOPolicy()
        for slot in 0..<4 { policy.insert(slot, fingerprint: slot, cost: 1) }
        policy.touch(0)
        policy.touch(0)
        policy.touch(1)
        let order = drain(&policy)
        #expect(order == [1, 2, 3, 0])
    }

    @Test func `S3-FIFO counts a replacement as a use`() {
        var policy = S3FIFOPolicy()
        for slot in 0..<3 { policy.insert(slot, fingerprint: slot, cost: 1) }
        policy.touch(0)
        policy.replace(0, fingerprint: 0, cost: 2)
        let order = drain(&policy)
        #expect(order == [1, 2, 0])
    }

    @Test func `S3-FIFO gives entries used in the main queue another turn`() {
        var policy = makePolicy(withInMain: 4)
        policy.touch(0)
        policy.touch(2)
        let order = drain(&policy)
        #expect(order == [1, 3, 0, 2])
    }

    @Test func `S3-FIFO counts no more than three uses`() {
        var policy = makePolicy(withInMain: 2)
        for _ in 0..<100 { policy.touch(0) }
        for _ in 0..<3 { policy.touch(1) }
        let order = drain(&policy)
        #expect(order == [0, 1])
    }

    @Test func `S3-FIFO lets the small queue have a tenth of the cost`() {
        var policy = makePolicy(withInMain: 20)
        policy.insert(20, fingerprint: 20, cost: 1)
        let fromMain = policy.evict()
        #expect(fromMain == 0)
        policy.insert(0, fingerprint: 100, cost: 1)
        let fromSmall = policy.evict()
        #expect(fromSmall == 20)
    }

    @Test func `S3-FIFO measures the small queue by cost and not by number`() {
        var policy = makePolicy(withInMain: 20)
        policy.insert(20, fingerprint: 20, cost: 10)
        let victim = policy.evict()
        #expect(victim == 20)
    }

    @Test func `S3-FIFO admits a returning entry of the ghost queue to the main queue`() {
        var policy = S3FIFOPolicy()
        for slot in 0..<10 { policy.insert(slot, fingerprint: slot, cost: 1) }
        let victim = policy.evict()
        #expect(victim == 0)
        policy.insert(0, fingerprint: 0, cost: 1)
        policy.insert(10, fingerprint: 10, cost: 1)
        let order = drain(&policy)
        #expect(order == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0])
    }

    @Test func `S3-FIFO admits new entries to the small queue`() {
        var policy = S3FIFOPolicy()
        for slot in 0..<10 { policy.insert(slot, fingerprint: slot, cost: 1) }
        let victim = policy.evict()
        #expect(victim == 0)
        policy.insert(0, fingerprint: 100, cost: 1)
        policy.insert(10, fingerprint: 10, cost: 1)
        let order = drain(&policy)
        #expect(order == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 10])
    }

    @Test func `S3-FIFO does not remember removed entries`() {
        var policy = S3FIFOPolicy()
        for slot in 0..<3 { policy.insert(slot, fingerprint: slot, cost: 1) }
        policy.remove(0)
        policy.insert(0, fingerprint: 0, cost: 1)
        policy.insert(3, fingerprint: 3, cost: 1)
        let order = drain(&policy)
        #expect(order == [1, 2, 0, 3])
    }

    @Test(arguments: [(8, true), (9, false), (1_000, false)])
    func `S3-FIFO remembers nine tenths as many entries as it holds`(others: Int, isRemembered: Bool) {
        // Given an evicted entry of ten
        var policy = S3FIFOPolicy()
        for slot in 0..<10 { policy.insert(slot, fingerprint: slot, cost: 1) }
        var free = policy.evict()
        #expect(free == 0)
        // When others are evicted after it
        for number in 0..<others {
            guard let slot = free else { break }
            policy.insert(slot, fingerprint: 1_000 + number, cost: 1)
            free = policy.evict()
        }
        // Then it enters the main queue if it is remembered, otherwise the end of the small queue
        let slot = free ?? 0
        policy.insert(slot, fingerprint: 0, cost: 1)
        policy.insert(10, fingerprint: 10, cost: 1)
        let order = drain(&policy)
        let last = isRemembered ? [10, slot] : [slot, 10]
        #expect(Array(order.suffix(2)) == last)
    }
}
