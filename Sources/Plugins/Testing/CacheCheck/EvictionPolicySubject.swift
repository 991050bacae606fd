import Calotype

/// An eviction policy under test. Each check uses a copy of the policy. A slot is a number that identifies an image.
struct EvictionPolicySubject<Policy: EvictionPolicy> {
    let policy: Policy

    /// Checks that each slot is evicted exactly once, and that evicted slots can be inserted again.
    func checkVictims() throws(Breach) {
        var policy = policy
        for _ in 0..<3 {
            try expectVictims([], of: &policy, "of an empty policy")
            insert(0..<20, into: &policy)
            try expectVictims(Set(0..<20), of: &policy, "after inserting them")
        }
    }

    /// Checks that slots that were touched or replaced are still evicted exactly once.
    func checkUses() throws(Breach) {
        var policy = policy
        insert(0..<10, into: &policy)
        for slot in 0..<10 {
            for _ in 0..<slot { policy.touch(slot) }
            if slot.isMultiple(of: 3) { policy.replace(slot, fingerprint: slot, cost: 100 + slot) }
        }
        try expectVictims(Set(0..<10), of: &policy, "after touching and replacing some")
    }

    /// Checks that removed slots are not evicted until they are inserted again.
    func checkRemoval() throws(Breach) {
        var policy = policy
        insert(0..<10, into: &policy)
        for slot in stride(from: 0, to: 10, by: 2) { policy.remove(slot) }
        insert(0..<1, into: &policy)
        policy.touch(0)
        try expectVictims([0, 1, 3, 5, 7, 9], of: &policy, "after removing the even ones and inserting 0 again")
        insert(0..<5, into: &policy)
        for slot in 0..<5 { policy.remove(slot) }
        try expectVictims([], of: &policy, "after removing all")
    }

    /// Checks the policy with costs from zero to very large values.
    func checkCosts() throws(Breach) {
        var policy = policy
        let costs = [0, 1 << 40, 0, 1, 1 << 50, 0]
        for (slot, cost) in costs.enumerated() { policy.insert(slot, fingerprint: Int.min + slot, cost: cost) }
        for slot in costs.indices { policy.replace(slot, fingerprint: Int.max - slot, cost: costs[5 - slot]) }
        try expectVictims(Set(costs.indices), of: &policy, "of costs between 0 and 2^50")
    }

    /// Checks that a copy of a policy and the original do not affect each other.
    func checkCopies() throws(Breach) {
        var policy = policy
        insert(0..<5, into: &policy)
        var copy = policy
        copy.remove(0)
        insert(5..<9, into: &copy)
        try expectVictims(Set(0..<5), of: &policy, "while a copy has others")
        try expectVictims(Set(1..<9), of: &copy, "while the original is empty")
    }

    /// Checks the policy with random sequences of calls that a cache may make.
    func checkSequences() throws(Breach) {
        for seed in 1...5 {
            var random = SplitMix64(seed: UInt64(seed))
            var policy = policy
            var known: Set<Int> = []
            for _ in 0..<5_000 {
                let slot = Int.random(in: 0..<40, using: &random)
                let fingerprint = Int.random(in: 0..<200, using: &random)
                let cost = Int.random(in: 0..<100, using: &random)
                switch (Int.random(in: 0..<10, using: &random), known.contains(slot)) {
                case (0..<4, false):
                    policy.insert(slot, fingerprint: fingerprint, cost: cost)
                    known.insert(slot)
                case (0..<6, true): policy.touch(slot)
                case (6, true): policy.replace(slot, fingerprint: fingerprint, cost: cost)
                case (7, true):
                    policy.remove(slot)
                    known.remove(slot)
                case (8, _): try expectVictim(of: &policy, among: &known, "in a random sequence of calls")
                default: break
                }
            }
            try expectVictims(known, of: &policy, "after a random sequence of calls")
        }
    }

    /// Checks the policy with many slots, with slot numbers that exceed 16 bits, and with a slot of the maximum cost.
    func checkLimits() throws(Breach) {
        var policy = policy
        policy.insert(0, fingerprint: 0, cost: .max)
        try expectVictims([0], of: &policy, "of a cost of `Int.max`")

        // The number is limited, because a policy may examine all slots for each victim.
        let few = 0..<2000
        insert(few, into: &policy)
        try expectVictims(Set(few), of: &policy, "after inserting \(few.count)")
        // The last of these slot numbers exceed 16 bits.
        for slot in few.upperBound..<70_000 {
            policy.insert(slot, fingerprint: slot, cost: 64)
            let victim = policy.evict()
            try expect(
                victim == slot, "`evict` to return the only slot \(slot)",
                but: "it returns \(Self.name(of: victim))", advice: Self.advice)
        }
    }

    private func insert(_ slots: Range<Int>, into policy: inout Policy) {
        for slot in slots { policy.insert(slot, fingerprint: slot, cost: 64) }
    }

    /// Evicts all slots. Throws unless each expected slot is evicted exactly once, and no other slot is evicted.
    private func expectVictims(_ slots: Set<Int>, of policy: inout Policy, _ moment: String) throws(Breach) {
        var rest = slots
        while !rest.isEmpty { try expectVictim(of: &policy, among: &rest, moment) }
        try expectVictim(of: &policy, among: &rest, moment)
    }

    /// Evicts one slot and removes it from `known`. Throws if the slot is not in `known`, or if the policy returns nil
    /// although `known` is not empty.
    private func expectVictim(
        of policy: inout Policy, among known: inout Set<Int>, _ moment: String
    ) throws(Breach) {
        let victim = policy.evict()
        let isRight = victim.map { known.contains($0) } ?? known.isEmpty
        try expect(
            isRight, "`evict` to return \(known.isEmpty ? "nil" : "one of the slots \(known.sorted())") \(moment)",
            but: "it returns \(Self.name(of: victim))", advice: Self.advice)
        if let victim { known.remove(victim) }
    }

    private static var advice: String {
        "keep exactly the slots that were inserted and neither removed nor evicted since"
    }

    private static func name(of victim: Int?) -> String { victim.map { "\($0)" } ?? "nil" }
}
