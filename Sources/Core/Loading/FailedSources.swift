/// The sources that have failed not long ago and are not asked again for now.
///
/// A failed load is remembered for a URL with the policy under which it was fetched: a stranger may not read what a
/// request with a password may. A failed decode is remembered for the way in which it was decoded, too. Thread-safe.
final class FailedSources: Sendable {
    /// The identity of a failed load.
    struct Source: Sendable {
        /// The URL with its credentials, which is never printed.
        let url: String
        /// The canonical text of the values that decide which bytes arrive, with all that is sent.
        let policy: String
        /// The canonical text of the values that decide which pixels are made of them.
        let decoding: String
    }

    private struct Failure {
        let policy: String
        /// Nil if no bytes came: it concerns all decodes of them.
        let decoding: String?
        let error: ImageError
        let time: Duration
        let timeToLive: Duration
        /// Later ones have higher numbers.
        let number: Int

        func concerns(_ source: Source) -> Bool {
            policy.isSame(as: source.policy) && (decoding?.isSame(as: source.decoding) ?? true)
        }

        func isOver(at now: Duration) -> Bool { now - time >= timeToLive }

        /// The error of a request that is not made on its account.
        func reminder(at now: Duration) -> ImageError {
            var error = self.error
            let age = Int((now - time).seconds)
            error.message = "failed \(age) s ago, and is not asked again yet: \(error.message)"
            error.advice = "set the context value `retryFailed`, or call `removeFailedURL`"
            error.retryAfter = nil
            return error
        }
    }

    private struct State {
        var failures: [String: [Failure]] = [:]
        var count = 0
        var lastNumber = 0

        mutating func remove(of url: String, where isGone: (Failure) -> Bool) {
            guard let known = failures[url] else { return }
            let kept = known.filter { !isGone($0) }
            count -= known.count - kept.count
            failures[url] = kept.isEmpty ? nil : kept
        }

        mutating func remove(where isGone: (Failure) -> Bool) {
            for url in Array(failures.keys) { remove(of: url, where: isGone) }
        }

        /// Forgets what is over; the older half of the rest where that is not enough, so that it is not done each time.
        mutating func makeRoom(within limit: Int, at now: Duration) {
            guard count >= limit else { return }
            remove { $0.isOver(at: now) }
            guard count >= limit else { return }
            let numbers = failures.values.joined().map(\.number).sorted()
            let middle = numbers[numbers.count / 2]
            remove { $0.number <= middle }
        }
    }

    private let time: any TimeSource
    private let limit: Int
    private let state = Lock(State())

    /// - Parameters:
    ///   - time: The clock.
    ///   - limit: How many are remembered at once.
    init(time: any TimeSource, limit: Int = 10_000) {
        self.time = time
        self.limit = limit
    }

    /// The codes of errors that another immediate attempt would repeat.
    private static let lastingCodes: Set<ImageError.Code> = [
        .notFound, .accessDenied, .addressRefused, .untrustedConnection, .redirectRefused, .badStatus, .badContentType,
        .badData, .unknownFormat,
    ]

    /// Whether a failure is remembered, unless a delegate says otherwise.
    static func isLasting(_ error: ImageError) -> Bool { lastingCodes.contains(error.code) && !error.isTransient }

    /// The number of failures that are remembered, including expired ones.
    var count: Int { state.withLock { $0.count } }

    /// Remembers that a source has failed.
    func note(_ error: ImageError, of source: Source, for timeToLive: Duration) {
        let now = time.now()
        let decoding = error.stage == .load ? nil : source.decoding
        state.withLock { state in
            state.remove(of: source.url) {
                $0.policy.isSame(as: source.policy) && $0.decoding.isSame(as: decoding)
            }
            state.makeRoom(within: limit, at: now)
            state.lastNumber += 1
            state.count += 1
            let failure = Failure(
                policy: source.policy, decoding: decoding, error: error, time: now, timeToLive: timeToLive,
                number: state.lastNumber)
            state.failures[source.url, default: []].append(failure)
        }
    }

    /// The error of a request for a source that has failed; nil for one that may be asked.
    func failure(of source: Source) -> ImageError? {
        let now = time.now()
        return found(of: source.url, at: now) { $0.concerns(source) }?.reminder(at: now)
    }

    /// Returns the last failure of a URL; nil if the URL may be loaded.
    func failure(of url: String) -> ImageError? {
        found(of: url, at: time.now()) { _ in true }?.error
    }

    private func found(of url: String, at now: Duration, where isMeant: (Failure) -> Bool) -> Failure? {
        state.withLock { state in
            state.remove(of: url) { $0.isOver(at: now) }
            return state.failures[url]?.last(where: isMeant)
        }
    }

    /// Forgets what keeps a source from being asked: it has brought something.
    func forget(_ source: Source) {
        state.withLock { state in state.remove(of: source.url) { $0.concerns(source) } }
    }

    /// Forgets what was said of a URL.
    func forget(_ url: String) {
        state.withLock { state in state.remove(of: url) { _ in true } }
    }

    /// Forgets everything.
    func forgetAll() {
        state.withLock { state in
            state.failures = [:]
            state.count = 0
        }
    }
}
