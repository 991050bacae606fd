extension CacheGroup {
    /// Calls the caches of a choice, in turn or at once, until what they answered is enough.
    /// - Parameters:
    ///   - choice: The caches.
    ///   - stage: The stage of the errors of those that fail.
    ///   - call: What is done with each.
    ///   - isEnough: Whether the answers so far will do. Called under a lock.
    ///   - onEnd: Told all answers when the last call has ended: before this returns, or later for caches that nobody
    ///     waited for.
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

    /// Throws the first failure and tells of the others; does nothing without any.
    func report(_ failures: [ImageError]) throws(ImageError) {
        guard let first = failures.first else { return }
        for failure in failures.dropFirst() { onIssue(failure) }
        throw first
    }
}
