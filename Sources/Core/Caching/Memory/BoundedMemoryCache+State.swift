extension BoundedMemoryCache {
    /// The state that the lock guards.
    ///
    /// Each image has a slot, and keeps it when it is evicted while it is retained. Such a slot the policy does not
    /// know; it costs nothing, and becomes free when the image is found to have gone.
    struct State {
        /// The result of a first look for an image.
        enum Finding {
            case found(Image)
            case missing
            /// There is something, but its time may be over, or it was evicted.
            case uncertain
        }

        /// The time at which an image expires.
        struct Deadline {
            let time: Duration
            /// Whether it came with the image, rather than being what the cache gives to all.
            let isGiven: Bool
        }

        /// The contents of a slot.
        private struct Place {
            /// Nil if the image was evicted, and in free slots.
            var storage: Image.Storage?
            var scale = 1.0
            /// Nil for never.
            var deadline: Deadline?
        }

        /// An image that was evicted.
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
        /// Knows exactly the slots that hold an image. Called where it lies, since taking it out would copy it.
        private var policy: any EvictionPolicy
        /// The slot of each image.
        private var slots: [VariantKey: Int] = [:]
        /// The contents of each slot. Apart from the keys, so that a hit touches nothing else.
        private var places: [Place] = []
        /// The images that were evicted while they were retained, by slot. Made when they are, not when they are
        /// stored: a weak reference makes every reference to its object dearer.
        private var evicted: [Int: Evicted] = [:]
        /// The slot at which the search for released images continues.
        private var sweepSlot = 0
        /// The keys of the images, by slot.
        private var keys: [VariantKey?] = []
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
    /// The image for a key, as far as that can be said without the clock and without changing anything but counts.
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

    /// The image for a key. One whose time is over goes; one that was evicted and is still alive is taken in again,
    /// unless it alone exceeds a limit.
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

    /// Returns the image for a key with its deadline; nil if there is none. To be released after unlocking.
    func living(_ key: VariantKey) -> (image: Image, deadline: Deadline?)? {
        guard let slot = slots[key] else { return nil }
        return living(in: slot)
    }

    /// Returns the images of a source. To be released after unlocking.
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
    /// Keeps an image until `deadline`, if it fits; else there is nothing for its key any more.
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
        // Listed first: the list changes with each that goes.
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

    /// Whether an image may be held when it is the only one.
    private func fits(_ image: Image) -> Bool { image.byteCount <= costLimit && countLimit > 0 }

    /// Puts an image that fits into the slot of its key, or a free one, and makes room for it.
    private mutating func put(_ image: Image, for key: VariantKey, deadline: Deadline?) {
        let cost = image.byteCount
        // What a larger image drives out can be the very one that it takes the place of: look again each time.
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
        // Before more room is taken: some of it may be of images that have gone.
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
            preconditionFailure("the eviction policy knows no image where \(statistics.count) are kept")
        }
        guard places.indices.contains(slot), places[slot].storage != nil else {
            preconditionFailure("the eviction policy chose slot \(slot), where no image is kept")
        }
        statistics.evictions += 1
        // One that the cache alone holds is gone with that, so that nothing needs to be remembered of it.
        let isHeldElsewhere = findsLivingImages && !isKnownUniquelyReferenced(&places[slot].storage)
        if isHeldElsewhere { evicted[slot] = Evicted(storage: places[slot].storage) }
        takeOut(slot)
        if isHeldElsewhere { sweep() } else { free(slot) }
    }

    /// Looks at two slots for each that is taken and for each image that is still retained elsewhere, so that slots
    /// are freed faster than they are taken by images that go, and none of this ever takes long.
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

    /// Takes the image out of a slot that the policy has forgotten. The slot keeps its key.
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
