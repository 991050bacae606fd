import Dispatch

extension CacheGroup {
    /// Copies an entry to a cache above the one that had it, on threads of that cache.
    /// - Parameters:
    ///   - member: The cache.
    ///   - entry: What a lower one has.
    ///   - isKnownToMiss: Whether the cache said that it has none. One that was slower than the hit was not asked.
    ///   - search: The query that found the entry.
    func fill(_ member: Member, with entry: CacheEntry, isKnownToMiss: Bool, after search: Fill) {
        let target = Fill.Target(cache: ObjectIdentifier(member.cache), byteCount: entry.data.count)
        guard let fill = fills.begin(after: search, to: target) else { return }
        member.fillLane.start { [self] refusal in
            defer { fills.end(fill) }
            if let refusal {
                onIssue(refusal)
                return
            }
            guard isKnownToMiss || isMissing(fill.key, in: member), fills.beginWriting(fill) else { return }
            let outcome = member.attempt(.store) { try $0.store(entry, for: fill.key) }
            fills.endWriting(fill)
            if case .failure(let error) = outcome { onIssue(error) }
        }
    }

    /// Whether a cache says that it has no such entry.
    private func isMissing(_ key: VariantKey, in member: Member) -> Bool {
        switch member.attempt(.query, { try $0.contains(key, in: .disk) }) {
        case .success(let tiers):
            return tiers.isEmpty
        case .failure(let error):
            onIssue(error)
            return false
        }
    }

    /// Returns when all queries that have begun by now have ended in every cache that they asked, and what they found
    /// has been copied to higher ones. For the end of a process that will not live long. Blocks.
    public func waitForFilling() { fills.wait() }
}

extension CacheGroup {
    /// The way up of an entry: first a query, which may find it, then a copy to each cache that is to have it.
    final class Fill: Sendable {
        /// The cache that is to have the entry.
        struct Target: Sendable {
            let cache: ObjectIdentifier
            /// The bytes that wait for it.
            let byteCount: Int
        }

        let key: VariantKey
        /// Nil of a query.
        let target: Target?
        /// Entered while the cache is being written.
        let writing = DispatchGroup()
        /// Entered until the query and all copies of what it found are over, which share it.
        let ending: DispatchGroup

        init(_ key: VariantKey, to target: Target? = nil, ending: DispatchGroup = DispatchGroup()) {
            self.key = key
            self.target = target
            self.ending = ending
            ending.enter()
        }
    }

    /// The entries on their way to higher caches, and the changes in progress: neither may undo the other.
    ///
    /// A change makes outdated what it covers and what was looked for before the change was over, be it still being
    /// read, and waits for what is being written at that moment. So nothing old is written once a change has begun.
    final class Fills: Sendable {
        /// The scope of a change.
        enum Scope {
            case key(VariantKey)
            case source(SourceKey)
            case policy(SourceKey, String)
            case everything

            func covers(_ key: VariantKey) -> Bool {
                switch self {
                case .key(let changed): changed == key
                case .source(let changed): changed == key.source
                case .policy(let changed, let policy): changed == key.source && policy.isSame(as: key.policy)
                case .everything: true
                }
            }
        }

        private struct Progress {
            let fill: Fill
            var isOutdated: Bool
        }

        private struct State {
            var fills: [ObjectIdentifier: Progress] = [:]
            var changes: [Int: Scope] = [:]
            var nextChange = 0
        }

        /// Bytes that wait for a cache; more than that only of a single entry.
        private static let byteLimit = 32 << 20
        /// The number of bytes that an entry counts at least.
        private static let leastByteCount = 4096

        private let state = Lock(State())

        /// Changes under way, those that wait included.
        var changeCount: Int { state.withLock { $0.changes.count } }

        /// Begins a query. It is to be ended, come what may.
        func begin(_ key: VariantKey) -> Fill {
            let fill = Fill(key)
            state.withLock { state in
                // What is read while it is being changed may be old.
                let isOutdated = state.changes.values.contains { $0.covers(key) }
                state.fills[ObjectIdentifier(fill)] = Progress(fill: fill, isOutdated: isOutdated)
            }
            return fill
        }

        /// Begins to copy what a query that has not ended found. It is to be ended. Nil when that is outdated, the same
        /// is on its way there, or too much waits for that cache.
        func begin(after search: Fill, to target: Fill.Target) -> Fill? {
            state.withLock { state -> Fill? in
                guard state.fills[ObjectIdentifier(search)]?.isOutdated == false else { return nil }
                var byteCount = 0
                for other in state.fills.values {
                    guard let there = other.fill.target, there.cache == target.cache else { continue }
                    if other.fill.key == search.key, !other.isOutdated { return nil }
                    byteCount += max(there.byteCount, Self.leastByteCount)
                }
                let limit = Self.byteLimit - max(target.byteCount, Self.leastByteCount)
                guard byteCount == 0 || byteCount <= limit else { return nil }
                let fill = Fill(search.key, to: target, ending: search.ending)
                state.fills[ObjectIdentifier(fill)] = Progress(fill: fill, isOutdated: false)
                return fill
            }
        }

        /// Begins to write to a cache; false when what would be written is outdated. When it is not, the write is to be
        /// ended.
        func beginWriting(_ fill: Fill) -> Bool {
            state.withLock { state -> Bool in
                guard state.fills[ObjectIdentifier(fill)]?.isOutdated == false else { return false }
                fill.writing.enter()
                return true
            }
        }

        func endWriting(_ fill: Fill) { fill.writing.leave() }

        func end(_ fill: Fill) {
            state.withLock { state in state.fills[ObjectIdentifier(fill)] = nil }
            fill.ending.leave()
        }

        /// Runs `body`, which changes what `scope` covers, so that nothing older is written after it.
        func change<Value>(_ scope: Scope, _ body: () -> Value) -> Value {
            let (id, covered) = state.withLock { state -> (Int, [Fill]) in
                let id = state.nextChange
                state.nextChange += 1
                state.changes[id] = scope
                let covered = state.fills.values.map(\.fill).filter { scope.covers($0.key) }
                for fill in covered { state.fills[ObjectIdentifier(fill)]?.isOutdated = true }
                return (id, covered)
            }
            defer { state.withLock { state in state.changes[id] = nil } }
            for fill in covered { fill.writing.wait() }
            return body()
        }

        /// Returns when all has ended that has begun by now.
        func wait() {
            let fills = state.withLock { $0.fills.values.map(\.fill) }
            for fill in fills { fill.ending.wait() }
        }
    }
}
