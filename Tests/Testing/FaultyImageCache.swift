import Calotype
import CalotypeTesting

/// An image cache with tiers in dictionaries that keeps the contract, except for one defect.
final class FaultyImageCache: ImageCache {
    struct Absent: Error {}

    private struct State {
        /// The expiration of the last image or entry of a key, by wall time.
        var ends: [VariantKey: Double] = [:]
        /// The keys of all entries that were ever stored.
        var entryKeys: Set<VariantKey> = []
        var isCleared = false
        /// Whether a removal from memory is still to be followed by one from the disk tier.
        var isHalfRemoved = false
        /// The tiers of the first removal of a key.
        var first: CacheTiers?
        /// The tiers of the first removal that differ from those.
        var other: CacheTiers?
    }

    /// The defect; nil for none.
    private let defect: ImageCacheDefect?
    private let time: any TimeSource
    private let memory: FaultyMemoryCache
    private let data: FaultyDataCache
    /// Both tiers, used correctly.
    private let both: TieredCache
    private let state = Lock(State())
    /// The gate at which a removal waits between its steps.
    private let gate = BlockingGate()

    init(_ defect: ImageCacheDefect? = nil, time: any TimeSource) {
        self.defect = defect
        self.time = time
        memory = FaultyMemoryCache(time: time)
        data = FaultyDataCache(time: time)
        both = TieredCache(memory: memory, disk: data)
    }

    var tiers: CacheTiers { defect == .hidesItsTiers ? [] : both.tiers }

    // MARK: Reading and storing

    func image(for key: VariantKey) -> Image? {
        if defect == .endsImagesWithEntries, isOver(key) { return nil }
        if let image = memory.image(for: key) { return image }
        if defect == .countsMissesTwice { _ = try? data.entry(for: key) }
        if defect == .fillsMemoryFromDisk { fillMemory(key) }
        return nil
    }

    func store(_ image: Image, for key: VariantKey, timeToLive: Duration?) {
        if defect == .takesNothingAfterClearing, state.withLock({ $0.isCleared }) { return }
        if defect == .endsEntriesWithImages { note(key, end: timeToLive.map { time.wallTime() + $0.seconds }) }
        if defect == .storesImagesOnDisk { try? data.store(CacheEntry(data: Data("x".utf8)), for: key) }
        memory.store(image, for: key, timeToLive: defect == .ignoresTimeToLive ? nil : timeToLive)
    }

    func variants(of source: SourceKey) -> [VariantKey] {
        var keys = Set(memory.variants(of: source))
        if defect == .listsEntries { keys.formUnion(state.withLock { $0.entryKeys.filter { $0.source == source } }) }
        return Array(keys)
    }

    func remainingTime(for key: VariantKey) -> Duration? { both.remainingTime(for: key) }

    func entry(for key: VariantKey) throws -> CacheEntry? {
        if defect == .endsEntriesWithImages, isOver(key) { return nil }
        let entry = try data.entry(for: key)
        if state.withLock({ $0.isHalfRemoved }) { gate.open() }
        return entry
    }

    func store(_ entry: CacheEntry, for key: VariantKey) throws {
        var entry = entry
        if defect == .dropsDates { entry.expiration = nil }
        if defect == .dropsImagesOfNewEntries { memory.remove(key) }
        if defect == .endsImagesWithEntries { note(key, end: entry.expiration) }
        try data.store(entry, for: key)
        if defect == .putsEntriesIntoMemory { fillMemory(key) }
        state.withLock { _ = $0.entryKeys.insert(key) }
    }

    func contains(_ key: VariantKey, in asked: CacheTiers) throws -> CacheTiers {
        if defect == .countsAsking { _ = memory.image(for: key) }
        if defect == .fillsMemoryWhenAsked { fillMemory(key) }
        let found = try both.contains(key, in: asked)
        switch defect {
        case .answersMoreThanAsked: return try both.contains(key, in: .all)
        case .answersAllForAny: return found.isEmpty ? [] : asked
        case .stopsAtMemory: return found.contains(.memory) ? .memory : found
        default: return found
        }
    }

    // MARK: Removing

    func remove(_ key: VariantKey, from named: CacheTiers) throws {
        switch defect {
        case .removesFromEveryTier where !named.isEmpty, .removesFromAllForNone where named.isEmpty:
            try both.remove(key, from: .all)
        case .removesFromMemoryAlone where named == .all:
            memory.remove(key)
        case .removesWhatMemoryHas where !memory.contains(key):
            return
        case .removesWholeSources:
            try both.removeAll(of: key.source, from: named)
        case .savesRemovedImages where named == .memory && memory.contains(key):
            memory.remove(key)
            try data.store(CacheEntry(data: Data("x".utf8)), for: key)
        case .throwsForAbsent:
            if try both.contains(key, in: .all).isEmpty { throw Absent() }
            try both.remove(key, from: named)
        case .removesFromMemoryFirst where named == .all:
            waitForReader { memory.remove(key) }
            try data.remove(key)
        case .removesAsOthersSay:
            try both.remove(key, from: overtaken(named))
        default:
            try both.remove(key, from: named)
        }
    }

    func removeAll(of source: SourceKey, from named: CacheTiers) throws {
        switch defect {
        case .removesEveryTier where !named.isEmpty:
            try both.removeAll(of: source, from: .all)
        case .removesMemoryAlone where named == .all:
            memory.removeAll(of: source)
        case .removesWhatMemoryLists:
            for key in memory.variants(of: source) { try both.remove(key, from: named) }
        case .removesMemoryFirst where named == .all:
            waitForReader { memory.removeAll(of: source) }
            try data.removeAll(of: source)
        default:
            try both.removeAll(of: source, from: named)
        }
    }

    func removeAll(tagged tag: String, from named: CacheTiers) throws {
        switch defect {
        case .removesTagsFromDataAlone:
            try both.removeAll(tagged: tag, from: named.subtracting(.memory))
        case .removesTagsFromEveryTier where !named.isEmpty:
            try both.removeAll(tagged: tag, from: .all)
        case .removesTagsFromMemoryFirst where named == .all:
            waitForReader { memory.clear() }
            try data.removeAll(tagged: tag)
        case .removesAllForAnyTag:
            try both.clear(named)
        default:
            try both.removeAll(tagged: tag, from: named)
        }
    }

    func removeAll(olderThan age: Duration) throws { try both.removeAll(olderThan: age) }

    func clear(_ named: CacheTiers) throws {
        switch defect {
        case .clearsEveryTier where !named.isEmpty:
            try both.clear(.all)
        case .clearsMemoryAlone where named == .all:
            memory.clear()
        case .clearsMemoryFirst where named == .all:
            waitForReader { memory.clear() }
            try data.clear()
        default:
            try both.clear(named)
        }
        state.withLock { $0.isCleared = true }
    }

    var statistics: CacheStatistics {
        var statistics = both.statistics
        let hits = statistics.disk?.hits ?? 0
        if defect == .addsHitsOfBoth { statistics.memory?.hits += hits }
        return statistics
    }

    // MARK: Defects

    /// Stores an image in memory for an entry that has none there, as if it had been decoded.
    private func fillMemory(_ key: VariantKey) {
        guard (try? both.contains(key, in: .all)) == .disk,
            let pixels = try? PixelBufferBuilder(layout: PixelLayout(size: PixelSize(1, 1))).finish()
        else { return }
        memory.store(Image(pixels: pixels), for: key)
    }

    private func note(_ key: VariantKey, end: Double?) {
        state.withLock { $0.ends[key] = end }
    }

    private func isOver(_ key: VariantKey) -> Bool {
        let now = time.wallTime()
        return state.withLock { $0.ends[key].map { $0 <= now } ?? false }
    }

    /// Removes something from memory, and blocks the caller until the disk tier has been read, which makes the defect
    /// deterministic. Later callers are not blocked.
    private func waitForReader(_ remove: () -> Void) {
        state.withLock { $0.isHalfRemoved = true }
        remove()
        gate.pass()
    }

    /// Returns the tiers of the current call, as if only one could be in progress: the first call waits for one with
    /// other tiers, and uses those.
    private func overtaken(_ named: CacheTiers) -> CacheTiers {
        let isFirst = state.withLock { state -> Bool in
            guard let first = state.first else {
                state.first = named
                return true
            }
            if first != named, state.other == nil { state.other = named }
            return false
        }
        if isFirst {
            gate.pass()
            return state.withLock { $0.other } ?? named
        }
        if state.withLock({ $0.other != nil }) { gate.open() }
        return named
    }
}
