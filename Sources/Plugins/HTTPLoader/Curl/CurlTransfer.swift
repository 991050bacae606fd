#if HTTP
import Calotype

/// A load over HTTP, shared by the task that reads its data and the thread that runs it. Thread-safe.
///
/// The thread adds data as it arrives and wakes the reader. The reader takes the data and resumes a paused transfer.
final class CurlTransfer: Sendable {
    /// The maximum number of unread bytes: 256 KiB. Beyond it, back-pressure is applied to the server.
    static let window = 256 << 10
    /// The maximum length of the chunks that the reader gets: 128 KiB.
    static let chunkSize = 128 << 10
    /// The minimum number of bytes that a transfer counts toward ``CurlEngine/leftoverLimit``.
    private static let leastLeftover = 4096

    /// A delivery to the reader. The order is: redirects that need approval, the head, any number of chunks, the end.
    enum Delivery: Sendable {
        /// A redirect that needs approval. No other delivery follows until the reader calls `follow`.
        case redirect(from: HTTPAddress, to: HTTPAddress)
        case head(ReceivedHead)
        case chunk(Data)
        case end(LoadOutcome)
    }

    /// A resource that an ended transfer occupies until its reader has taken all data.
    private enum Leftover {
        case nothing
        /// A number of bytes, which counts toward the engine's limit for unread data.
        case bytes(Int)
        /// The place of the transfer among the transfers in progress.
        case place
    }

    private struct State {
        var priority: Priority
        var redirect: (from: HTTPAddress, to: HTTPAddress)?
        var head: ReceivedHead?
        var chunks: [Data] = []
        var unread = 0
        /// The length of the head or chunk that the reader may still be processing; 0 if there is none.
        var taken = 0
        /// Whether libcurl has paused the transfer and must be told when the reader has taken bytes.
        var isPaused = false
        var isCancelled = false
        var end: Result<LoadOutcome, ImageError>?
        var leftover = Leftover.nothing
        /// The number of bytes of the body that are reserved in the memory budget until the load is over.
        var countedByteCount = 0
        /// The metrics; nil before the transfer begins.
        var metrics: TransferMetrics?
        var reader: CheckedContinuation<Void, Never>?
    }

    let request: HTTPRequest
    /// The limits of concurrent transfers that apply to this transfer.
    let limits: TransferLimits
    /// The time at which the loader was called.
    let start = ContinuousClock.now

    private let engine: CurlEngine
    private let state: Lock<State>

    init(_ request: HTTPRequest, priority: Priority, engine: CurlEngine) {
        self.request = request
        limits = TransferLimits(request, engine.configuration)
        self.engine = engine
        state = Lock(State(priority: priority))
    }

    /// The priority of the load. Changing it moves a waiting transfer in the queue.
    var priority: Priority {
        get { state.withLock { $0.priority } }
        set {
            let isChange = state.withLock { state in
                defer { state.priority = newValue }
                return state.priority != newValue
            }
            if isChange { engine.post(.prioritize(self)) }
        }
    }
}

/// The interface for the reader, which is the task that takes the received data.
extension CurlTransfer {
    /// Returns the next delivery, after waiting for it if necessary. Call this until it returns the end.
    ///
    /// Throws the transfer's error after all received data has been delivered. Throws `CancellationError` at once if
    /// the transfer was cancelled.
    func next() async throws -> Delivery {
        while true {
            if let delivery = try take() { return delivery }
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isReady = state.withLock { state in
                    guard state.redirect == nil, state.head == nil, state.chunks.isEmpty, state.end == nil,
                        !state.isCancelled
                    else { return true }
                    state.reader = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }

    /// Cancels the transfer and drops its data. Does nothing if the transfer was cancelled before.
    func cancel() {
        let (isUnderWay, leftover, reader) = state.withLock {
            state -> (Bool, Leftover, CheckedContinuation<Void, Never>?) in
            guard !state.isCancelled else { return (false, .nothing, nil) }
            state.isCancelled = true
            (state.redirect, state.head, state.chunks, state.unread) = (nil, nil, [], 0)
            defer { (state.reader, state.leftover) = (nil, .nothing) }
            return (state.end == nil, state.leftover, state.reader)
        }
        reader?.resume()
        if isUnderWay { engine.post(.cancel(self)) }
        give(leftover)
    }

    /// Follows the redirect that was delivered last. Does nothing if that redirect does not lead to `target`.
    func follow(to target: HTTPAddress) { engine.post(.follow(self, to: target)) }

    /// Gives the body's memory back to the ``BodyBudget``. Call this after the transfer has ended or was cancelled.
    func giveBackRoom() {
        let byteCount = state.withLock { state in
            defer { state.countedByteCount = 0 }
            return state.countedByteCount
        }
        engine.bodies.giveBack(byteCount)
    }

    /// Releases the resource that an ended transfer occupied.
    private func give(_ leftover: Leftover) {
        switch leftover {
        case .nothing: break
        case .bytes(let count): engine.forgetLeftover(count)
        case .place: engine.post(.leave(self))
        }
    }

    /// The metrics so far; nil if the transfer has not begun.
    var metrics: TransferMetrics? {
        state.withLock { state in
            guard var metrics = state.metrics else { return nil }
            // A cancelled transfer has no final measurement.
            if state.end == nil { metrics.total = start.duration(to: .now) }
            return metrics
        }
    }

    private func take() throws -> Delivery? {
        let (delivery, makesRoom, leftover) = state.withLock {
            state -> (Result<Delivery, any Error>?, Bool, Leftover) in
            guard !state.isCancelled else { return (.failure(CancellationError()), false, .nothing) }
            state.taken = 0
            if let (source, target) = state.redirect {
                state.redirect = nil
                return (.success(.redirect(from: source, to: target)), false, .nothing)
            }
            if let head = state.head {
                state.head = nil
                state.taken = head.byteCount
                return (.success(.head(head)), false, .nothing)
            }
            guard !state.chunks.isEmpty else {
                defer { state.leftover = .nothing }
                let end = state.end?.map { Delivery.end($0) }.mapError { $0 as any Error }
                return (end, false, state.leftover)
            }
            let chunk = state.chunks.removeFirst()
            state.unread -= chunk.count
            state.taken = chunk.count
            let makesRoom = state.isPaused && state.unread <= Self.window / 2
            if makesRoom { state.isPaused = false }
            return (.success(.chunk(chunk)), makesRoom, .nothing)
        }
        if makesRoom { engine.post(.resume(self)) }
        give(leftover)
        return try delivery?.get()
    }
}

/// The interface for the transfer thread, which runs the transfer.
extension CurlTransfer {
    /// The priority; nil if the transfer was cancelled.
    var wantedPriority: Priority? { state.withLock { $0.isCancelled ? nil : $0.priority } }

    /// Records the start of the transfer after its wait in the queue.
    func begin(at now: ContinuousClock.Instant) {
        var metrics = TransferMetrics()
        metrics.queued = start.duration(to: now)
        state.withLock { $0.metrics = metrics }
    }

    /// Asks the reader to approve a redirect. The reader calls `follow` to approve it.
    func ask(from source: HTTPAddress, to target: HTTPAddress) {
        state.withLock { state in
            if !state.isCancelled { state.redirect = (source, target) }
        }
    }

    /// Returns whether a body of `byteCount` bytes fits into the memory budget now. Reserves nothing.
    func hasRoom(for byteCount: Int) -> Bool {
        engine.bodies.hasRoom(for: byteCount - BodyBudget.freeByteCount, within: request.maxArrivingBytes)
    }

    /// Reserves memory for a body with `byteCount` bytes so far. Returns false if the ``BodyBudget`` has no room.
    func grow(to byteCount: Int) -> Bool {
        let counted = byteCount - BodyBudget.freeByteCount
        guard counted > 0 else { return true }
        return state.withLock { state in
            // After a cancellation the load may be over and would return nothing to the budget.
            guard !state.isCancelled else { return true }
            let isTaken = engine.bodies.take(counted - state.countedByteCount, within: request.maxArrivingBytes)
            if isTaken { state.countedByteCount = counted }
            return isTaken
        }
    }

    /// Adds received data for the reader, and returns the number of unread bytes. The head is passed once, at the
    /// latest with the first bytes. The chunk can be empty.
    func put(_ head: ReceivedHead?, _ chunk: Data) -> Int {
        state.withLock { state in
            guard !state.isCancelled else { return 0 }
            if let head { state.head = head }
            guard !chunk.isEmpty else { return state.unread }
            state.unread += chunk.count
            state.metrics?.receivedByteCount += chunk.count
            // Small pieces are joined while the reader is busy, which limits the number of chunks.
            let room = Self.chunkSize - (state.chunks.last?.count ?? Self.chunkSize)
            if chunk.count <= room {
                state.chunks[state.chunks.count - 1].append(chunk)
            } else {
                state.chunks.append(chunk)
            }
            return state.unread
        }
    }

    /// Pauses the transfer until the reader has taken bytes. If the reader has already taken enough, returns false and
    /// does not pause.
    func pause() -> Bool {
        state.withLock { state in
            state.isPaused = state.unread > Self.window / 2
            return state.isPaused
        }
    }

    /// Ends the transfer with a result. `metrics` is nil if the request was not passed to libcurl.
    /// - Returns: Whether the transfer no longer counts as in progress. If false, the command `leave` is posted when
    ///   the reader has taken all data or was cancelled.
    func end(_ result: Result<LoadOutcome, ImageError>, _ metrics: TransferMetrics? = nil) -> Bool {
        state.withLock { state in
            if let metrics { state.metrics = metrics } else { state.metrics?.total = start.duration(to: .now) }
            state.end = result
            let byteCount = state.unread + state.taken + (state.head?.byteCount ?? 0)
            guard byteCount > 0, !state.isCancelled else { return true }
            let counted = max(byteCount, Self.leastLeftover)
            let isCounted = engine.countLeftover(counted)
            state.leftover = isCounted ? .bytes(counted) : .place
            return isCounted
        }
    }

    /// Wakes the reader if it waits.
    func wake() {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }
}
#endif
