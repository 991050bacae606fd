import Dispatch

extension CacheGroup {
    /// Calls the chosen caches until the answers are enough or complete. Returns the answers so far.
    /// - Parameters:
    ///   - stage: The stage for the errors of caches that fail.
    ///   - isEnough: Returns whether the answers so far are enough. May be called under a lock.
    ///   - onEnd: Called with all answers when the last call has ended, which may be after this function has returned.
    func ask<Value: Sendable>(
        _ choice: Choice, _ stage: ImageError.Stage, _ call: @escaping @Sendable (any ImageCache) throws -> Value,
        until isEnough: @escaping @Sendable (Answers<Value>) -> Bool = { _ in false },
        onEnd: @escaping @Sendable (Answers<Value>) -> Void = { _ in }
    ) -> Answers<Value> {
        guard !choice.isConcurrent else {
            let round = Round(count: choice.members.count, until: isEnough, onEnd: onEnd)
            return round.answers(of: choice.members, stage, call)
        }
        var answers = Answers<Value>(count: choice.members.count)
        for (place, member) in choice.members.enumerated() {
            answers.results[place] = member.attempt(stage, call)
            if isEnough(answers) { break }
        }
        onEnd(answers)
        return answers
    }

    /// Throws the first failure, and passes the other failures to `onIssue`. Does nothing if there are no failures.
    func report(_ failures: [ImageError]) throws(ImageError) {
        guard let first = failures.first else { return }
        for failure in failures.dropFirst() { onIssue(failure) }
        throw first
    }
}

extension CacheGroup {
    /// The answers of a group's caches.
    struct Answers<Value: Sendable>: Sendable {
        /// The results, in the order of the caches; nil for a cache that has not answered, or was not asked.
        var results: [Result<Value, ImageError>?]

        /// Creates the list for the answers of `count` caches, none of which has answered yet.
        init(count: Int) {
            results = Array(repeating: nil, count: count)
        }

        /// The errors of the caches that failed.
        var failures: [ImageError] {
            results.compactMap { result -> ImageError? in
                guard case .failure(let error)? = result else { return nil }
                return error
            }
        }
    }
}

extension CacheGroup.Answers where Value == CacheEntry? {
    /// The first entry among the answers, and the index of its cache; nil if no cache has answered with an entry.
    var hit: (place: Int, entry: CacheEntry)? {
        for (place, result) in results.enumerated() {
            if case .success(let entry?)? = result { return (place, entry) }
        }
        return nil
    }
}

extension CacheGroup.Answers where Value == CacheTiers {
    /// The union of the tiers that the caches returned. Caches that failed or have not answered add nothing.
    var found: CacheTiers {
        results.reduce(into: CacheTiers()) { found, result in
            if case .success(let tiers)? = result { found.formUnion(tiers) }
        }
    }
}

extension CacheGroup {
    /// A set of concurrent calls, one to each of several caches.
    ///
    /// The caller stops waiting when the answers are enough. Calls that have not begun by then are withdrawn, so that
    /// they do not pile up if a cache hangs.
    final class Round<Value: Sendable>: Sendable {
        private struct State {
            var answers: Answers<Value>
            /// The number of calls that have neither ended nor been withdrawn.
            var openCalls: Int
            var isDecided = false
        }

        private let state: Lock<State>
        private let decision = DispatchSemaphore(value: 0)
        private let isEnough: @Sendable (Answers<Value>) -> Bool
        private let onEnd: @Sendable (Answers<Value>) -> Void

        /// Creates a round of calls to `count` caches, at least one.
        init(
            count: Int, until isEnough: @escaping @Sendable (Answers<Value>) -> Bool,
            onEnd: @escaping @Sendable (Answers<Value>) -> Void
        ) {
            state = Lock(State(answers: Answers(count: count), openCalls: count))
            self.isEnough = isEnough
            self.onEnd = onEnd
        }

        /// Calls the caches, and waits until the answers are enough or complete. Call this method only once.
        func answers(
            of members: [Member], _ stage: ImageError.Stage,
            _ call: @escaping @Sendable (any ImageCache) throws -> Value
        ) -> Answers<Value> {
            let tickets = members.enumerated().map { place, member in
                member.lane.start { [self] refusal in
                    let answer: Result<Value, ImageError> =
                        if let refusal { .failure(refusal) } else { member.attempt(stage, call) }
                    note(answer, at: place)
                }
            }
            decision.wait()
            let withdrawn = zip(members, tickets).filter { $0.lane.withdraw($1) }.count
            let (answers, isLast) = state.withLock { state -> (Answers<Value>, Bool) in
                state.openCalls -= withdrawn
                return (state.answers, withdrawn > 0 && state.openCalls == 0)
            }
            if isLast { onEnd(answers) }
            return answers
        }

        private func note(_ answer: Result<Value, ImageError>, at place: Int) {
            let (answers, isLast, decides) = state.withLock { state -> (Answers<Value>, Bool, Bool) in
                state.answers.results[place] = answer
                state.openCalls -= 1
                let isLast = state.openCalls == 0
                let decides = !state.isDecided && (isLast || isEnough(state.answers))
                if decides { state.isDecided = true }
                return (state.answers, isLast, decides)
            }
            if isLast { onEnd(answers) }
            if decides { decision.signal() }
        }
    }
}
