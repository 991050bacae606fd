extension BoundedMemoryCache {
    /// The state that the lock guards.
    ///
    /// Each image has a slot, which is an index into `places`. An evicted image keeps its slot as long as other code
    /// retains the image. Such an image does not count toward the limits, and the policy does not know its slot.
    struct State {
        /// The result of looking up an image without reading the clock.
        enum Finding {
            case found(Image)
            case missing
            /// The key has a slot, but its image may have expired, or was evicted.
            case uncertain
        }

        /// The time at which an image expires.
        struct Deadline {
            let time: Duration
            /// Whether the time to live was passed with the image, rather than being the cache's default.
            let isGiven: Bool
        }

        /// The contents of a slot.
        private struct Place {
            /// The image; nil if it was evicted or the slot is free.
            var storage: Image.Storage?
            var scale = 1.0
            /// The time at which the image expires; nil for never.
            var deadline: Deadline?
        }

        /// An image that was evicted while other code retained it.
        private struct Evicted {
            weak var storage: Image.Storage?
        }

        var costLimit: Int
        var countLimit: Int
        /// The statistics of requests and contents.
        private(set) var statistics = MemoryCacheStatistics()
        /// The images to release after unlocking.
        var dropped: [Image.Storage] = []

        private let findsLivingImages: Bool
        /// The policy that chooses the images to evict. It knows exactly the slots that hold an image. Do not assign it
        /// to a local variable, which would copy it.
        private var policy: any EvictionPolicy
        /// The slot of each image.
        private var slots: [VariantKey: Int] = [:]
        /// The contents of each slot. The keys are in an array of their own, which a hit does not access.
        private var places: [Place] = []
        /// Weak references to evicted images that other code retained, by slot. They are made only on eviction, because
        /// a weak reference slows down every retain and release of its object.
        private var evicted: [Int: Evicted] = [:]
        /// The slot at which the search for released images continues.
        private var sweepSlot = 0
        /// The keys of the images, by slot.
        private var keys: [VariantKey?] = []
        /// The slots that have neither a key nor an image.
        private var freeSlots: [Int] = []
        /// The slots of each source's images, so that removing a source looks at no other image.
        private var sources: [SourceKey: SlotList] = [:]
        private var sourceLinks = SlotList.Links()

        init(costLimit: Int, countLimit: Int, findsLivingImages: Bool, policy: any EvictionPolicy) {
            self.costLimit = costLimit
            self.countLimit = countLimit
            self.findsLivingImages = findsLivingImages
            self.policy = policy
        }
    }
}

// MARK: Looking up

extension BoundedMemoryCache.State {
    /// Looks up the image for a key without reading the clock. Changes only the statistics and the policy.
    mutating func lookUp(_ key: VariantKey) -> Finding {
        guard let slot = slots[key] else {
            statistics.misses += 1
            return .missing
        }
        guard places[slot].deadline == nil, let storage = places[slot].storage else { return .uncertain }
        policy.touch(slot)
        statistics.hits += 1
        return .found(Image(storage: storage, scale: places[slot].scale))
    }

    /// Returns the image for a key. Removes an image that has expired. Stores an evicted image again if it fits.
    mutating func image(for key: VariantKey, at now: Duration) -> Image? {
        guard let slot = slots[key] else {
            statistics.misses += 1
            return nil
        }
        let place = places[slot]
        if let deadline = place.deadline, deadline.time <= now {
            statistics.expirations += 1
            statistics.misses += 1
            remove(key)
            return nil
        }
        if let storage = place.storage {
            policy.touch(slot)
            statistics.hits += 1
            return Image(storage: storage, scale: place.scale)
        }
        guard let storage = evicted[slot]?.storage else {
            statistics.misses += 1
            remove(key)
            return nil
        }
        statistics.weakHits += 1
        let image = Image(storage: storage, scale: place.scale)
        if fits(image) { put(image, for: key, deadline: place.deadline) }
        return image
    }

    /// Returns the image for a key with its deadline, even if it is expired or evicted. Release it after unlocking.
    func living(_ key: VariantKey) -> (image: Image, deadline: Deadline?)? {
        guard let slot = slots[key] else { return nil }
        return living(in: slot)
    }

    /// Returns the images of a source with their keys and deadlines, including expired and evicted images. Release the
    /// images after unlocking.
    func living(of source: SourceKey) -> [(VariantKey, (image: Image, deadline: Deadline?))] {
        guard let list = sources[source] else { return [] }
        return list.slots(links: sourceLinks).compactMap { slot in
            guard let key = keys[slot], let found = living(in: slot) else { return nil }
            return (key, found)
        }
    }

    private func living(in slot: Int) -> (image: Image, deadline: Deadline?)? {
        guard let storage = places[slot].storage ?? evicted[slot]?.storage else { return nil }
        return (Image(storage: storage, scale: places[slot].scale), places[slot].deadline)
    }
}

// MARK: Storing and removing

extension BoundedMemoryCache.State {
    /// Stores an image until `deadline`. If the image does not fit, only removes the previous image for the key.
    mutating func store(_ image: Image, for key: VariantKey, deadline: Deadline?) {
        guard fits(image) else { return remove(key) }
        statistics.insertions += 1
        put(image, for: key, deadline: deadline)
    }

    mutating func remove(_ key: VariantKey) {
        guard let slot = slots[key] else { return }
        remove(slot)
    }

    mutating func removeAll(of source: SourceKey) {
        while let slot = sources[source]?.first { remove(slot) }
    }

    mutating func removeAll(of source: SourceKey, under policy: String) {
        guard let list = sources[source] else { return }
        // The slots are listed first, since the list changes with each removal.
        for slot in list.slots(links: sourceLinks) where keys[slot]?.policy.isSame(as: policy) == true { remove(slot) }
    }

    mutating func removeAll() {
        for slot in slots.values {
            guard let storage = places[slot].storage else { continue }
            policy.remove(slot)
            dropped.append(storage)
        }
        places = []
        evicted = [:]
        sweepSlot = 0
        keys = []
        slots = [:]
        freeSlots = []
        sources = [:]
        statistics.count = 0
        statistics.byteCount = 0
    }

    mutating func evict(toCost cost: Int, count: Int) {
        while statistics.byteCount > cost || statistics.count > count { evictOne() }
    }

    /// Returns whether an image would be within the limits if it were the only one.
    private func fits(_ image: Image) -> Bool { image.byteCount <= costLimit && countLimit > 0 }

    /// Stores an image, and evicts other images to make room. The image alone must not exceed a limit.
    private mutating func put(_ image: Image, for key: VariantKey, deadline: Deadline?) {
        let cost = image.byteCount
        // Looks the slot up again each time: making room for a larger image can evict the very image that it replaces.
        while let slot = slots[key], let old = places[slot].storage {
            if statistics.byteCount - old.byteCount <= costLimit - cost {
                statistics.byteCount += cost - old.byteCount
                dropped.append(old)
                places[slot] = Place(storage: image.storage, scale: image.scale, deadline: deadline)
                policy.replace(slot, fingerprint: key.hashValue, cost: cost)
                return
            }
            evictOne()
        }
        evict(toCost: costLimit - cost, count: countLimit - 1)
        let slot = slots[key] ?? makeSlot(for: key)
        evicted[slot] = nil
        places[slot] = Place(storage: image.storage, scale: image.scale, deadline: deadline)
        statistics.count += 1
        statistics.byteCount += cost
        policy.insert(slot, fingerprint: key.hashValue, cost: cost)
    }

    private mutating func makeSlot(for key: VariantKey) -> Int {
        let slot: Int
        // Before the arrays grow, slots of released images are freed.
        if !evicted.isEmpty { sweep() }
        if let free = freeSlots.popLast() {
            slot = free
            keys[slot] = key
        } else {
            slot = places.count
            places.append(Place())
            keys.append(key)
        }
        slots[key] = slot
        sources[key.source, default: SlotList()].append(slot, links: &sourceLinks)
        return slot
    }

    private mutating func evictOne() {
        guard let slot = policy.evict() else {
            preconditionFailure("the eviction policy chose no image, but the cache has \(statistics.count)")
        }
        guard places.indices.contains(slot), places[slot].storage != nil else {
            preconditionFailure("the eviction policy chose slot \(slot), which has no image")
        }
        statistics.evictions += 1
        // An image that only the cache retains is released by the eviction, so it needs no weak reference.
        let isHeldElsewhere = findsLivingImages && !isKnownUniquelyReferenced(&places[slot].storage)
        if isHeldElsewhere { evicted[slot] = Evicted(storage: places[slot].storage) }
        takeOut(slot)
        if isHeldElsewhere { sweep() } else { free(slot) }
    }

    /// Frees slots of evicted images that have been released. Each call checks two slots, so that slots are checked
    /// faster than they are taken.
    private mutating func sweep() {
        for _ in 0..<2 {
            sweepSlot = sweepSlot + 1 < places.count ? sweepSlot + 1 : 0
            guard let entry = evicted[sweepSlot] else { continue }
            if let storage = entry.storage {
                dropped.append(storage)
            } else {
                free(sweepSlot)
            }
        }
    }

    private mutating func remove(_ slot: Int) {
        if places[slot].storage != nil {
            policy.remove(slot)
            takeOut(slot)
        }
        free(slot)
    }

    /// Removes the image from a slot that the policy has forgotten. The slot keeps its key.
    private mutating func takeOut(_ slot: Int) {
        guard let storage = places[slot].storage else { return }
        places[slot].storage = nil
        statistics.count -= 1
        statistics.byteCount -= storage.byteCount
        dropped.append(storage)
    }

    /// Frees a slot without an image.
    private mutating func free(_ slot: Int) {
        guard let key = keys[slot] else { return }
        evicted[slot] = nil
        keys[slot] = nil
        slots[key] = nil
        freeSlots.append(slot)
        sources[key.source]?.remove(slot, links: &sourceLinks)
        if sources[key.source]?.isEmpty == true { sources[key.source] = nil }
    }
}
