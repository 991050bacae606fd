import Calotype
import CalotypeTesting

/// A data cache in a dictionary that keeps the contract, except for one defect.
final class FaultyDataCache: DataCache {
    struct Missing: Error {}

    private struct Kept {
        let key: VariantKey
        var entry: CacheEntry
        var lastUse: Double
        /// All tags that it ever had.
        var formerTags: Set<String>
    }

    private struct State {
        var kept: [[UInt8]: Kept] = [:]
        /// The first entries that were returned without waiting.
        var answers: [[UInt8]: CacheEntry] = [:]
        var isCleared = false
        var statistics = DataCacheStatistics()
        /// The key of the first two-step store that replaces an entry.
        var halfDone: [UInt8]?

        /// Returns whether this is that store.
        mutating func isFirst(toReplace identity: [UInt8]) -> Bool {
            defer { halfDone = halfDone ?? identity }
            return halfDone == nil
        }
    }

    /// The defect; nil for none.
    private let defect: DataCacheDefect?
    private let time: any TimeSource
    private let state: Lock<State>
    /// Whether the store was filled by another cache before.
    private let isReopened: Bool
    /// The gate at which that store waits until the state between its steps has been read, which makes the defect
    /// deterministic.
    private let gate = BlockingGate()

    init(_ defect: DataCacheDefect? = nil, time: any TimeSource) {
        self.defect = defect
        self.time = time
        state = Lock(State())
        isReopened = false
    }

    /// Creates another cache with the same store.
    init(reopening cache: FaultyDataCache) {
        defect = cache.defect
        time = cache.time
        state = cache.defect == .keepsEntriesToItself ? Lock(State()) : cache.state
        isReopened = true
    }

    func entry(for key: VariantKey) throws -> CacheEntry? {
        let (identity, now) = (identity(of: key), time.wallTime())
        let (entry, isAwaited) = state.withLock { state -> (CacheEntry?, Bool) in
            let isAwaited = state.halfDone == identity
            guard let kept = state.kept[identity], defect == .readsWhatExpired || isValid(kept, at: now) else {
                state.statistics.misses += 1
                return (nil, isAwaited)
            }
            state.statistics.hits += 1
            if defect != .forgetsBytesRead { state.statistics.bytesRead += kept.entry.data.count }
            if defect != .agesSinceStoring { state.kept[identity]?.lastUse = now }
            return (kept.entry, isAwaited)
        }
        if isAwaited { gate.open() }
        return entry
    }

    func immediateEntry(for key: VariantKey) throws -> ImmediateEntry {
        let (identity, now) = (identity(of: key), time.wallTime())
        return state.withLock { state -> ImmediateEntry in
            if defect == .answersTheFirst, let first = state.answers[identity] { return .entry(first) }
            guard let kept = state.kept[identity], defect != .deniesWhatItHas,
                defect == .answersWhatExpired || isValid(kept, at: now)
            else {
                state.statistics.misses += 1
                return .absent
            }
            if defect != .answersUncounted {
                state.statistics.hits += 1
                state.statistics.bytesRead += kept.entry.data.count
            }
            if defect != .answersWithoutUse { state.kept[identity]?.lastUse = now }
            state.answers[identity] = kept.entry
            return .entry(kept.entry)
        }
    }

    func contains(_ key: VariantKey) throws -> Bool {
        let (identity, now) = (identity(of: key), time.wallTime())
        return state.withLock { state -> Bool in
            if defect == .containsWholeSources { return state.kept.values.contains { $0.key.source == key.source } }
            guard let kept = state.kept[identity] else { return false }
            if defect == .countsAskingAsReading { state.statistics.hits += 1 }
            if defect == .countsAskingAsUse { state.kept[identity]?.lastUse = now }
            return defect == .containsWhatExpired || isValid(kept, at: now)
        }
    }

    func store(_ entry: CacheEntry, for key: VariantKey) throws {
        let (identity, now) = (identity(of: key), time.wallTime())
        if defect == .replacesInTwoSteps {
            let waits = state.withLock { state -> Bool in
                state.kept.removeValue(forKey: identity) != nil && state.isFirst(toReplace: identity)
            }
            if waits { gate.pass() }
        }
        let waits = state.withLock { state -> Bool in
            state.statistics.insertions += 1
            if defect == .cannotBeUsedAfterClearing, state.isCleared { return false }
            let former = state.kept[identity]
            if defect == .keepsTheFirst, former != nil { return false }
            state.kept[identity] = Kept(
                key: key, entry: changed(entry, after: former?.entry), lastUse: now,
                formerTags: (former?.formerTags ?? []).union(entry.tags))
            return defect == .writesInTwoSteps && former != nil && state.isFirst(toReplace: identity)
        }
        if waits { gate.pass() }
        if defect == .writesInTwoSteps {
            state.withLock { $0.kept[identity]?.entry.data = entry.data }
        }
    }

    func remove(_ key: VariantKey) throws {
        let identity = identity(of: key)
        try state.withLock { state in
            if defect == .throwsForMissing, state.kept[identity] == nil { throw Missing() }
            if defect == .removesNothing { return }
            state.kept = state.kept.filter { other, kept in
                if defect == .removesWholeSources, kept.key.source == key.source { return false }
                if defect == .removesByCutKeys, Self.cut(kept.key) == Self.cut(key) { return false }
                return other != identity
            }
        }
    }

    func removeAll(of source: SourceKey) throws {
        state.withLock { state in
            state.kept = state.kept.filter { _, kept in
                switch defect {
                case .removesOriginalsOnly: kept.key.source != source || !kept.key.isOriginal
                case .removesSourcesByPrefix: !kept.key.source.text.hasPrefix(source.text)
                case .removesByPattern: !kept.key.source.text.isLike(source.text)
                default: kept.key.source != source
                }
            }
        }
    }

    func removeAll(tagged tag: String) throws {
        state.withLock { state in
            state.kept = state.kept.filter { _, kept in
                switch defect {
                case .ignoresTags: true
                case .keepsTagsToItself where isReopened: true
                case .removesByPartOfTag: !kept.entry.tags.contains { $0.contains(tag) }
                case .removesByFormerTags: !kept.formerTags.contains(tag)
                case .removesTagsByPattern: !kept.entry.tags.contains { $0.isLike(tag) }
                default: !kept.entry.tags.contains(tag)
                }
            }
        }
    }

    func removeAll(olderThan age: Duration) throws {
        let horizon = time.wallTime() - age.seconds
        if defect == .ignoresAge { return }
        state.withLock { state in state.kept = state.kept.filter { $0.value.lastUse >= horizon } }
    }

    func clear() throws {
        state.withLock { state in
            state.kept = defect == .clearsHalf ? state.kept.filter { !$0.value.key.isOriginal } : [:]
            state.isCleared = true
        }
    }

    var statistics: DataCacheStatistics { state.withLock { $0.statistics } }

    private func isValid(_ kept: Kept, at now: Double) -> Bool {
        guard let expiration = kept.entry.expiration, defect != .ignoresDates else { return true }
        return expiration > now
    }

    /// Returns bytes that identify a key.
    private func identity(of key: VariantKey) -> [UInt8] {
        var parts = [key.source.text, key.policy, key.variant]
        switch defect {
        case .ignoresPolicy: parts[1] = ""
        // As if texts were compared instead of bytes.
        case .comparesAsUnicode: parts = parts.map { $0.replacing("e\u{301}", with: "\u{e9}") }
        case .joinsParts: return Array((parts[0] + parts[1] + parts[2]).utf8)
        case .cutsKeys: parts = parts.map { String($0.prefix(while: { $0 != "\0" })) }
        default: break
        }
        return parts.flatMap { Array("\($0.utf8.count):\($0)".utf8) }
    }

    private static func cut(_ key: VariantKey) -> [String] { [key.source.text, key.policy, key.variant].map(\.cut) }

    /// Returns the entry as it is stored.
    private func changed(_ entry: CacheEntry, after former: CacheEntry?) -> CacheEntry {
        var entry = entry
        switch defect {
        case .losesTheLastByte where entry.data.count > 100_000: entry.data.removeLast()
        case .losesEmptyEntries where entry.data.isEmpty: entry.expiration = 0
        case .losesAttributes: entry.attributes = [:]
        case .takesNoExtendedDataForEmpty: entry.extendedData = entry.extendedData ?? Data()
        case .losesTags: entry.tags = []
        case .roundsDates: entry.expiration = entry.expiration?.rounded()
        case .keepsOldAttributes: entry.attributes.merge(former?.attributes ?? [:]) { new, _ in new }
        case .keepsOldDate: entry.expiration = entry.expiration ?? former?.expiration
        case .writesInTwoSteps: entry.data = Data()
        default: break
        }
        return entry
    }
}
