/// The sources that failed recently. They are not loaded again while their failures are remembered. Thread-safe.
///
/// The failure of a load concerns only requests with the same ``Source/policy``, because a load with another password
/// may succeed. The failure of a decode concerns only requests that also have the same decode settings.
final class FailedSources: Sendable {
    /// The identity of what failed: a URL, with the values that affect its load and its decode.
    struct Source: Sendable {
        /// The URL with its credentials, which must never be printed.
        let url: String
        /// The canonical text of the values that decide which bytes arrive, including all data that is sent to the
        /// source.
        let policy: String
        /// The canonical text of the values that affect the decoded image.
        let decoding: String
    }

    private struct Failure {
        let policy: String
        /// The text of the decode settings that failed; nil for a failed load, which concerns all decode settings.
        let decoding: String?
        let error: ImageError
        let time: Duration
        let timeToLive: Duration
        /// The sequence number of the failure; later failures have higher numbers.
        let number: Int

        func concerns(_ source: Source) -> Bool {
            policy.isSame(as: source.policy) && (decoding?.isSame(as: source.decoding) ?? true)
        }

        func isOver(at now: Duration) -> Bool { now - time >= timeToLive }

        /// Returns the error for a request that is not loaded because of this failure.
        func reminder(at now: Duration) -> ImageError {
            var error = self.error
            let age = Int((now - time).seconds)
            error.message = "could not be loaded \(age) s ago, and is not loaded again yet: \(error.message)"
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

        /// Makes room for a failure if the limit is reached. If removing expired failures is not enough, also removes
        /// at least the older half of the rest, so that removals are seldom necessary.
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

    /// Creates an empty collection.
    /// - Parameter limit: The maximum number of remembered failures.
    init(time: any TimeSource, limit: Int = 10_000) {
        self.time = time
        self.limit = limit
    }

    /// The codes of errors that are expected to occur again if the load is repeated.
    private static let lastingCodes: Set<ImageError.Code> = [
        .notFound, .accessDenied, .addressRefused, .untrustedConnection, .redirectRefused, .badStatus, .badContentType,
        .badData, .unknownFormat,
    ]

    /// Returns whether an error is remembered if no delegate decides.
    static func isLasting(_ error: ImageError) -> Bool { lastingCodes.contains(error.code) && !error.isTransient }

    /// The number of remembered failures, including expired ones that have not been removed yet.
    var count: Int { state.withLock { $0.count } }

    /// Remembers a failure. Replaces an earlier one of the same URL with the same policy and decode settings.
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

    /// Returns the error for a request whose source has a remembered failure. Returns nil if the source may be loaded.
    func failure(of source: Source) -> ImageError? {
        let now = time.now()
        return found(of: source.url, at: now) { $0.concerns(source) }?.reminder(at: now)
    }

    /// Returns the last remembered error of a URL. Returns nil if no failure is remembered.
    func failure(of url: String) -> ImageError? {
        found(of: url, at: time.now()) { _ in true }?.error
    }

    private func found(of url: String, at now: Duration, where isMeant: (Failure) -> Bool) -> Failure? {
        state.withLock { state in
            state.remove(of: url) { $0.isOver(at: now) }
            return state.failures[url]?.last(where: isMeant)
        }
    }

    /// Forgets the failures that apply to a source. Called after a successful load.
    func forget(_ source: Source) {
        state.withLock { state in state.remove(of: source.url) { $0.concerns(source) } }
    }

    /// Forgets the failures of a URL.
    func forget(_ url: String) {
        state.withLock { state in state.remove(of: url) { _ in true } }
    }

    /// Forgets all failures.
    func forgetAll() {
        state.withLock { state in
            state.failures = [:]
            state.count = 0
        }
    }
}
