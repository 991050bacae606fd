import Dispatch

extension CacheGroup {
    /// The way up of what one query finds, from its first look until the last cache has been filled.
    final class Fill: Sendable {
        let key: VariantKey
        /// Entered while a cache is being written.
        let writing = DispatchGroup()
        /// Entered until all is over.
        let ending = DispatchGroup()

        init(_ key: VariantKey) {
            self.key = key
            ending.enter()
        }
    }

    /// What is on its way up, and what is being changed: the one must not undo the other.
    ///
    /// A change makes outdated what it covers and what was looked for before the change was over, be it still being
    /// read, and waits for what is being written at that moment. So nothing old is written once a change has begun.
    final class Fills: Sendable {
        /// What a change changes.
        enum Scope {
            case key(VariantKey)
            case source(SourceKey)
            case everything

            func covers(_ key: VariantKey) -> Bool {
                switch self {
                case .key(let changed): changed == key
                case .source(let changed): changed == key.source
                case .everything: true
                }
            }
        }

        private struct Progress {
            let fill: Fill
            var isOutdated: Bool
            /// The bytes that wait to be written, or are; nil before an entry was found.
            var byteCount: Int?
        }

        private struct State {
            var fills: [ObjectIdentifier: Progress] = [:]
            var changes: [Int: Scope] = [:]
            var nextChange = 0
            var byteCount = 0
        }

        /// Bytes that wait; more than that only of a single entry.
        private static let byteLimit = 32 << 20
        /// What an entry counts for that has next to no bytes.
        private static let leastByteCount = 4096

        /// Two threads: enough that one slow write does not hold up all, and few beside those that somebody waits for.
        let lane = Lane(name: "ct-fill", width: 2)
        private let state = Lock(State())

        /// Changes under way, those that wait included.
        var changeCount: Int { state.withLock { $0.changes.count } }

        /// Begins the way up of what a query may find. It is to be ended, come what may.
        func begin(_ key: VariantKey) -> Fill {
            let fill = Fill(key)
            state.withLock { state in
                // What is read while it is being changed may be old.
                let isOutdated = state.changes.values.contains { $0.covers(key) }
                state.fills[ObjectIdentifier(fill)] = Progress(fill: fill, isOutdated: isOutdated)
            }
            return fill
        }

        /// Whether so many bytes may wait to be written: not when they are outdated, the same are on their way, or too
        /// many wait.
        func admit(_ fill: Fill, byteCount: Int) -> Bool {
            let byteCount = max(byteCount, Self.leastByteCount)
            return state.withLock { state -> Bool in
                guard let progress = state.fills[ObjectIdentifier(fill)], !progress.isOutdated,
                    state.byteCount == 0 || state.byteCount + byteCount <= Self.byteLimit,
                    !state.fills.values.contains(where: {
                        $0.byteCount != nil && !$0.isOutdated && $0.fill.key == fill.key
                    })
                else { return false }
                state.fills[ObjectIdentifier(fill)]?.byteCount = byteCount
                state.byteCount += byteCount
                return true
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
            state.withLock { state in
                let progress = state.fills.removeValue(forKey: ObjectIdentifier(fill))
                state.byteCount -= progress?.byteCount ?? 0
            }
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
