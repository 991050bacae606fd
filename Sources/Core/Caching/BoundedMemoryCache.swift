/// Decoded images in memory, bounded by the bytes of their pixels and by their number.
///
/// ```swift
/// let cache = BoundedMemoryCache(costLimit: 64 << 20, policy: .lru)
/// ```
///
/// The limits hold at every moment, and may be changed at any. An image costs what its pixels take
/// (``Image/byteCount``, of an animation those of its first frame); under two keys it is charged twice. What goes when
/// there is no room is the choice of an ``EvictionPolicy``. An image is found right after it was stored, unless it
/// alone exceeds a limit: then it is not kept, and neither is the one that it was to replace.
///
/// Thread-safe. A hit takes one lock, looks up one key, and allocates no memory. Images that are dropped are released
/// after unlocking, on the thread whose call dropped them.
public final class BoundedMemoryCache: MemoryCache {
    /// The cost limit of a cache that is not given one: a fifth of the memory that the process may use, by its control
    /// group or the machine, and at most 1 GiB.
    ///
    /// A fifth leaves room for what is being decoded, which needs memory at its peak, and for the application itself.
    public static let defaultCostLimit = min(SystemMemory.limit / 5, 1 << 30)

    private let state: Lock<State>

    /// A cache that is empty.
    /// - Parameters:
    ///   - costLimit: Bytes of pixels that it may hold; nil for ``defaultCostLimit``. Less than zero counts as zero.
    ///   - countLimit: Images that it may hold; `Int.max`, the default, for any number. Less than zero counts as zero.
    ///   - policy: What goes when there is no room.
    public init(costLimit: Int? = nil, countLimit: Int = .max, policy: some EvictionPolicy) {
        state = Lock(
            State(
                costLimit: max(0, costLimit ?? Self.defaultCostLimit), countLimit: max(0, countLimit), policy: policy))
    }

    /// A cache that is empty, with the policy ``EvictionPolicy/s3FIFO``.
    /// - Parameters:
    ///   - costLimit: Bytes of pixels that it may hold; nil for ``defaultCostLimit``. Less than zero counts as zero.
    ///   - countLimit: Images that it may hold; `Int.max`, the default, for any number. Less than zero counts as zero.
    public convenience init(costLimit: Int? = nil, countLimit: Int = .max) {
        self.init(costLimit: costLimit, countLimit: countLimit, policy: .s3FIFO)
    }

    /// Bytes of pixels that the cache may hold. Lowering it evicts at once; less than zero counts as zero.
    public var costLimit: Int {
        get { state.withLock { $0.costLimit } }
        set {
            change { state in
                state.costLimit = max(0, newValue)
                state.evict(toCost: state.costLimit, count: state.countLimit)
            }
        }
    }

    /// Images that the cache may hold; `Int.max` for any number. Lowering it evicts at once; less than zero counts as
    /// zero.
    public var countLimit: Int {
        get { state.withLock { $0.countLimit } }
        set {
            change { state in
                state.countLimit = max(0, newValue)
                state.evict(toCost: state.costLimit, count: state.countLimit)
            }
        }
    }

    /// Bytes of pixels that the cache holds.
    public var totalCost: Int { state.withLock { $0.totalCost } }

    /// Images that the cache holds.
    public var count: Int { state.withLock { $0.slots.count } }

    /// Evicts until the images cost `cost` bytes or less, as when the system is short of memory. The limits stay.
    public func trim(toCost cost: Int) {
        change { $0.evict(toCost: max(0, cost), count: .max) }
    }

    public func image(for key: VariantKey) -> Image? {
        state.withLock { state -> Image? in
            guard let slot = state.slots[key] else { return nil }
            state.policy.touch(slot)
            return state.images[slot]
        }
    }

    public func contains(_ key: VariantKey) -> Bool {
        state.withLock { $0.slots[key] != nil }
    }

    public func store(_ image: Image, for key: VariantKey) {
        change { $0.store(image, for: key) }
    }

    public func remove(_ key: VariantKey) {
        change { $0.remove(key) }
    }

    public func removeAll(of source: SourceKey) {
        change { $0.removeAll(of: source) }
    }

    public func clear() {
        change { $0.removeAll() }
    }

    /// Changes the state, and lets go of what that dropped only after unlocking: the last release of an image gives
    /// back the memory of its pixels, which takes far longer than a hit, and may run somebody else's code.
    private func change(_ body: (inout State) -> Void) {
        let dropped = state.withLock { state -> [Image?] in
            body(&state)
            defer { state.dropped = [] }
            return state.dropped
        }
        withExtendedLifetime(dropped) {}
    }
}

extension BoundedMemoryCache {
    /// What the lock guards.
    private struct State {
        var costLimit: Int
        var countLimit: Int
        /// Knows exactly the slots that hold an image. Called where it lies, since taking it out would copy it.
        var policy: any EvictionPolicy
        var totalCost = 0
        /// The slot of each image.
        var slots: [VariantKey: Int] = [:]
        /// The images by slot; nil where a slot is free. Apart from the keys, so that a hit touches nothing else.
        var images: [Image?] = []
        /// The keys of the images, by slot.
        var keys: [VariantKey?] = []
        var freeSlots: [Int] = []
        /// The slots of each source's images, so that purging a source looks at no other image.
        var sources: [SourceKey: SlotList] = [:]
        var sourceLinks = SlotList.Links()
        /// What is to be released after unlocking.
        var dropped: [Image?] = []

        mutating func store(_ image: Image, for key: VariantKey) {
            let cost = image.byteCount
            guard cost <= costLimit, countLimit > 0 else { return remove(key) }
            // What a larger image drives out can be the very one that it takes the place of: look again each time.
            while let slot = slots[key], let old = images[slot] {
                if totalCost - old.byteCount <= costLimit - cost {
                    totalCost += cost - old.byteCount
                    dropped.append(old)
                    images[slot] = image
                    policy.replace(slot, fingerprint: key.hashValue, cost: cost)
                    return
                }
                evictOne()
            }
            evict(toCost: costLimit - cost, count: countLimit - 1)
            insert(image, for: key)
        }

        mutating func remove(_ key: VariantKey) {
            guard let slot = slots[key] else { return }
            policy.remove(slot)
            discard(slot)
        }

        mutating func removeAll(of source: SourceKey) {
            while let slot = sources[source]?.first {
                policy.remove(slot)
                discard(slot)
            }
        }

        mutating func removeAll() {
            for slot in slots.values { policy.remove(slot) }
            dropped = images
            images = []
            keys = []
            slots = [:]
            freeSlots = []
            sources = [:]
            totalCost = 0
        }

        mutating func evict(toCost cost: Int, count: Int) {
            while totalCost > cost || slots.count > count { evictOne() }
        }

        private mutating func evictOne() {
            guard let slot = policy.evict() else {
                preconditionFailure("the eviction policy knows no image where \(slots.count) are kept")
            }
            discard(slot)
        }

        /// Puts an image into a free slot; there is room for it.
        private mutating func insert(_ image: Image, for key: VariantKey) {
            let slot: Int
            if let free = freeSlots.popLast() {
                slot = free
                images[slot] = image
                keys[slot] = key
            } else {
                slot = images.count
                images.append(image)
                keys.append(key)
            }
            slots[key] = slot
            sources[key.source, default: SlotList()].append(slot, links: &sourceLinks)
            totalCost += image.byteCount
            policy.insert(slot, fingerprint: key.hashValue, cost: image.byteCount)
        }

        /// Takes an image out of everything but the policy, which has forgotten it.
        private mutating func discard(_ slot: Int) {
            guard let key = keys[slot], let image = images[slot] else {
                preconditionFailure("the eviction policy chose slot \(slot), where no image is kept")
            }
            dropped.append(image)
            totalCost -= image.byteCount
            images[slot] = nil
            keys[slot] = nil
            slots[key] = nil
            freeSlots.append(slot)
            sources[key.source]?.remove(slot, links: &sourceLinks)
            if sources[key.source]?.isEmpty == true { sources[key.source] = nil }
        }
    }
}
