import Calotype

/// A defect of an eviction policy.
enum EvictionPolicyDefect: String, CaseIterable, Sendable {
    case forgetsASlot
    case choosesTwice
    case choosesRemoved
    case touchInserts
    case replacingForgets
    case ignoresFree
    case endsTooSoon
    case sharesState
    case refusesTheCostliest
    case forgetsOfAThousand
    case countsInSixteenBits
}

/// A first-in, first-out policy, except for one defect.
struct FaultyEvictionPolicy: EvictionPolicy {
    private final class Shared: Sendable {
        let slots = Lock<[Int]>([])
    }

    /// The defect; nil for none.
    let defect: EvictionPolicyDefect?
    private var slots: [Int] = []
    private let shared = Shared()

    init(_ defect: EvictionPolicyDefect? = nil) { self.defect = defect }

    mutating func insert(_ slot: Int, fingerprint: Int, cost: Int) {
        if defect == .ignoresFree, cost == 0 { return }
        if defect == .forgetsASlot, slot == 7 { return }
        if defect == .refusesTheCostliest, cost == .max { return }
        let slot = defect == .countsInSixteenBits ? Int(UInt16(truncatingIfNeeded: slot)) : slot
        let limit = defect == .forgetsOfAThousand ? 1000 : Int.max
        change { if $0.count < limit { $0.append(slot) } }
    }

    mutating func touch(_ slot: Int) {
        if defect == .touchInserts { change { $0.append(slot) } }
    }

    mutating func replace(_ slot: Int, fingerprint: Int, cost: Int) {
        remove(slot)
        if defect != .replacingForgets { insert(slot, fingerprint: fingerprint, cost: cost) }
    }

    mutating func remove(_ slot: Int) {
        if defect != .choosesRemoved { change { $0.removeAll { $0 == slot } } }
    }

    mutating func evict() -> Int? {
        let defect = defect
        return change { slots in
            if defect == .endsTooSoon, slots.count == 1 { return nil }
            guard let first = slots.first else { return nil }
            if defect != .choosesTwice { slots.removeFirst() }
            return first
        }
    }

    private mutating func change<Result: Sendable>(_ body: (inout sending [Int]) -> Result) -> Result {
        defect == .sharesState ? shared.slots.withLock(body) : body(&slots)
    }
}
