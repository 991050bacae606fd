import Dispatch

extension CacheGroup {
    /// One call to several caches at once, each on threads of its own.
    ///
    /// A waiter goes on when the answers are enough. Calls that have not begun by then never will, so no more calls
    /// wait for a cache that hangs than callers wait for the group.
    final class Round<Value: Sendable>: Sendable {
        private struct State {
            var answers: Answers<Value>
            /// Calls that have neither ended nor been withdrawn.
            var openCalls: Int
            var isDecided = false
        }

        private let state: Lock<State>
        private let decision = DispatchSemaphore(value: 0)
        private let isEnough: @Sendable (Answers<Value>) -> Bool
        private let onEnd: @Sendable (Answers<Value>) -> Void

        /// A round of so many caches, at least one.
        init(
            count: Int, until isEnough: @escaping @Sendable (Answers<Value>) -> Bool,
            onEnd: @escaping @Sendable (Answers<Value>) -> Void
        ) {
            state = Lock(State(answers: Answers(count: count), openCalls: count))
            self.isEnough = isEnough
            self.onEnd = onEnd
        }

        /// Calls the caches and waits until their answers are enough, or all are there. May be called once.
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
