import Dispatch

extension CacheGroup {
    /// Copies an entry from a lower cache to a higher one, on threads of the higher cache. Does not wait for the copy.
    /// - Parameters:
    ///   - isKnownToMiss: Whether the higher cache has answered that it has no entry. If false, it is asked first.
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

    /// Returns whether a cache has no entry for a key. If it throws, passes the error to `onIssue` and returns false.
    private func isMissing(_ key: VariantKey, in member: Member) -> Bool {
        switch member.attempt(.query, { try $0.contains(key, in: .disk) }) {
        case .success(let tiers):
            return tiers.isEmpty
        case .failure(let error):
            onIssue(error)
            return false
        }
    }

    /// Waits until all earlier queries have ended, and the entries that they found have been copied to higher caches.
    /// Blocks. Call this method at the end of a short-lived process.
    ///
    /// A query ends when every cache that it asked has answered. This may be after the query has returned its result.
    public func waitForFilling() { fills.wait() }
}

extension CacheGroup {
    /// An operation that may copy an entry: a query, or the copying of a found entry to one higher cache.
    final class Fill: Sendable {
        /// The cache that receives a copy.
        struct Target: Sendable {
            let cache: ObjectIdentifier
            /// The number of bytes of the entry that is to be copied.
            let byteCount: Int
        }

        let key: VariantKey
        /// The cache to copy to; nil for a query.
        let target: Target?
        /// The dispatch group that is entered while the entry is being written to the target.
        let writing = DispatchGroup()
        /// The dispatch group that a query and all its copy operations leave when they end.
        let ending: DispatchGroup

        init(_ key: VariantKey, to target: Target? = nil, ending: DispatchGroup = DispatchGroup()) {
            self.key = key
            self.target = target
            self.ending = ending
            ending.enter()
        }
    }

    /// The queries, copy operations and changes in progress. A change is a store or a removal through the group.
    ///
    /// A copy must not undo a change by writing an older entry. A change therefore marks all queries and copy
    /// operations for its keys as outdated, and waits for copies that are being written. An outdated operation begins
    /// no write. A query that begins during a change is outdated too.
    final class Fills: Sendable {
        /// The keys that a change covers.
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

        /// The maximum number of bytes that wait to be copied to one cache: 32 MiB. A single entry may exceed it.
        private static let byteLimit = 32 << 20
        /// The minimum number of bytes that an entry counts as, however small it is.
        private static let leastByteCount = 4096

        private let state = Lock(State())

        /// The number of changes in progress, including those that wait for writes to end.
        var changeCount: Int { state.withLock { $0.changes.count } }

        /// Begins a query for a key. The caller must call ``end(_:)``, whatever the outcome.
        func begin(_ key: VariantKey) -> Fill {
            let fill = Fill(key)
            state.withLock { state in
                // An entry that is read during a change may be old.
                let isOutdated = state.changes.values.contains { $0.covers(key) }
                state.fills[ObjectIdentifier(fill)] = Progress(fill: fill, isOutdated: isOutdated)
            }
            return fill
        }

        /// Begins to copy an entry to a higher cache, while the query that found the entry is in progress. The caller
        /// must pass the result to ``end(_:)`` after the copy.
        ///
        /// Returns nil if the query is outdated, if the entry is being copied already, or if too many bytes wait for
        /// the target.
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

        /// Begins to write a copy. Returns false if it is outdated. If this returns true, call ``endWriting(_:)``.
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

        /// Runs `body`, which changes entries for the keys of `scope`. First waits for copies that are being written.
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

        /// Waits until all earlier queries and their copy operations have ended.
        func wait() {
            let fills = state.withLock { $0.fills.values.map(\.fill) }
            for fill in fills { fill.ending.wait() }
        }
    }
}
