import Calotype
import CalotypeTesting
import Dispatch

/// An unlimited memory cache that keeps the contract, except for one defect.
final class FaultyMemoryCache: MemoryCache {
    private struct Entry {
        let key: VariantKey
        let image: Image
        let deadline: Duration?
    }

    private struct State {
        var entries: [[UInt8]: Entry] = [:]
        var statistics = MemoryCacheStatistics()
        /// Removed images, which some defects retain.
        var removed: [[UInt8]: Entry] = [:]
        var listed: [VariantKey] = []
        var lastDeadline: Duration?
        /// The key of the current lookup, as if only one could be in progress.
        var current: [UInt8] = []
        var lookUpCount = 0
        var cost = 0
    }

    /// The defect; nil for none.
    private let defect: MemoryCacheDefect?
    private let time: any TimeSource
    private let state = Lock(State())
    /// The group in which the first two lookups meet.
    private let together = DispatchGroup()

    init(_ defect: MemoryCacheDefect? = nil, time: any TimeSource) {
        self.defect = defect
        self.time = time
        if defect == .lastKeyOfAll {
            for _ in 0..<2 { together.enter() }
        }
    }

    func image(for key: VariantKey) -> Image? {
        let identity = identity(of: key)
        if defect == .lastKeyOfAll { meet(identity) }
        return state.withLock { state -> Image? in
            let wanted = defect == .lastKeyOfAll ? state.current : identity
            guard let entry = validEntry(wanted, &state) else {
                state.statistics.misses += 1
                return nil
            }
            state.statistics.hits += 1
            return defect == .copiesImages ? Image(pixels: entry.image.pixels) : entry.image
        }
    }

    func peek(at key: VariantKey) -> Image? {
        let identity = identity(of: key)
        return state.withLock { state in
            let entry = defect == .peeksAtNothing ? nil : validEntry(identity, &state)
            return defect == .copiesImages ? entry.map { Image(pixels: $0.image.pixels) } : entry?.image
        }
    }

    func contains(_ key: VariantKey) -> Bool {
        state.withLock { state in
            if defect == .countsContains { state.statistics.hits += 1 }
            return defect == .containsEverything || validEntry(identity(of: key), &state) != nil
        }
    }

    func store(_ image: Image, for key: VariantKey, timeToLive: Duration?) {
        let identity = identity(of: key)
        let now = time.now()
        state.withLock { state in
            let old = state.entries[identity]
            if defect == .keepsTheFirst, old != nil { return }
            if defect == .addsEndlessCosts {
                let (cost, overflow) = state.cost.addingReportingOverflow(image.byteCount)
                state.cost = overflow ? .max : cost
                if state.cost == .max { return }
            }
            if defect == .forgetsWhenFull, state.entries.count >= 40 { return }
            var deadline = timeToLive.map { now + $0 }
            if defect == .takesNoTimeForEver, timeToLive == .zero { deadline = nil }
            if defect == .keepsFirstDeadline, let old { deadline = old.deadline }
            if defect == .oneTimeForAll {
                deadline = [deadline, state.lastDeadline].compactMap(\.self).min()
                state.lastDeadline = deadline
            }
            let entry = Entry(key: key, image: image, deadline: deadline)
            state.entries[identity] = entry
            state.listed.append(key)
            state.statistics.insertions += 1
            if defect == .findsRemovedImages || defect == .holdsRemovedImages { state.removed[identity] = entry }
        }
    }

    func remove(_ key: VariantKey) {
        let identity = identity(of: key)
        state.withLock { state in
            if defect == .removesTheSource {
                state.entries = state.entries.filter { $0.value.key.source != key.source }
            }
            if defect == .removesByCutKeys {
                state.entries = state.entries.filter { Self.cut($0.value.key) != Self.cut(key) }
            }
            state.entries[identity] = nil
        }
    }

    func removeAll(of source: SourceKey) {
        state.withLock { state in
            state.entries = state.entries.filter { element in
                let key = element.value.key
                if defect == .keepsPolicies, !key.policy.isEmpty { return true }
                if defect == .removesLongerSources { return !key.source.text.hasPrefix(source.text) }
                if defect == .removesByPattern { return !key.source.text.isLike(source.text) }
                return key.source != source
            }
        }
    }

    func clear() {
        guard defect != .clearsNothing else { return }
        state.withLock { state in
            state.entries = [:]
            state.cost = 0
        }
    }

    func variants(of source: SourceKey) -> [VariantKey] {
        state.withLock { state in
            if defect == .listsRemovedImages { return state.listed.filter { $0.source == source } }
            let keys = state.entries.values.map(\.key)
            return defect == .listsOtherSources ? keys : keys.filter { $0.source == source }
        }
    }

    func remainingTime(for key: VariantKey) -> Duration? {
        if defect == .promisesMoreTime { return .seconds(1_000_000) }
        let identity = identity(of: key)
        let now = time.now()
        return state.withLock { state in validEntry(identity, &state)?.deadline.map { $0 - now } }
    }

    var statistics: MemoryCacheStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.count = state.entries.count
            if defect != .forgetsBytes {
                statistics.byteCount = state.entries.values.reduce(0) { $0 + $1.image.byteCount }
            }
            return statistics
        }
    }

    /// Returns the entry if it is valid.
    private func validEntry(_ identity: [UInt8], _ state: inout State) -> Entry? {
        let removed = defect == .findsRemovedImages ? state.removed[identity] : nil
        guard let entry = state.entries[identity] ?? removed else { return nil }
        guard defect != .ignoresTime, let deadline = entry.deadline, deadline <= time.now() else { return entry }
        state.entries[identity] = nil
        return nil
    }

    private static func cut(_ key: VariantKey) -> [String] { [key.source.text, key.policy, key.variant].map(\.cut) }

    /// Returns bytes that identify a key.
    private func identity(of key: VariantKey) -> [UInt8] {
        let (source, policy, variant) = (key.source.text, key.policy, key.variant)
        switch defect {
        case .ignoresPolicy: return Array("\(source)\u{1}\(variant)".utf8)
        case .ignoresVariant: return Array("\(source)\u{1}\(policy)".utf8)
        case .joinsPartsOfKeys: return Array((source + variant + policy).utf8)
        case .composesCharacters:
            return Array("\(source)\u{1}\(policy)\u{1}\(variant)".utf8)
                .replacing(Array("e\u{301}".utf8), with: Array("\u{e9}".utf8))
        case .endsAtZero: return Array("\(source.prefix { $0 != "\0" })\u{1}\(policy)\u{1}\(variant)".utf8)
        case .cutsLongKeys: return Array("\(policy)\u{1}\(variant)\u{1}\(source)".utf8.prefix(4096))
        default: return Array("\(source)\u{1}\(policy)\u{1}\(variant)".utf8)
        }
    }

    /// Stores the looked-up key in shared state, and lets the second lookup overtake the first.
    private func meet(_ identity: [UInt8]) {
        let count = state.withLock { state -> Int in
            state.current = identity
            state.lookUpCount += 1
            return state.lookUpCount
        }
        guard count <= 2 else { return }
        together.leave()
        together.wait()
    }
}
