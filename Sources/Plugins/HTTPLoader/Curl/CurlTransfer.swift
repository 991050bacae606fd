#if HTTP
import Calotype

/// One load, between the task that awaits it and the thread that it runs on.
///
/// The thread puts in what arrives and wakes the reader; the reader takes it out, and makes a thread go on that had to
/// pause. Thread-safe; of all that could end it, the first does.
final class CurlTransfer: Sendable {
    /// The number of bytes that may wait here before the server is made to wait.
    static let window = 256 << 10
    /// The reader gets bytes in pieces of at most this length.
    static let chunkSize = 128 << 10
    /// The number of bytes that an ended transfer with a reader counts at least.
    private static let leastLeftover = 4096

    /// A piece of news for the reader. They come in this order: the redirects that it is asked about, a head, any
    /// number of chunks, then the end.
    enum Delivery: Sendable {
        /// A redirect to be approved. Nothing more comes unless the reader calls `follow`.
        case redirect(from: HTTPAddress, to: HTTPAddress)
        case head(ReceivedHead)
        case chunk(Data)
        case end(LoadOutcome)
    }

    /// The bytes of an ended transfer that its reader still has to take.
    private enum Leftover {
        case nothing
        /// Memory, which is counted.
        case bytes(Int)
        /// Its place in the queue.
        case place
    }

    private struct State {
        var priority: Priority
        var redirect: (from: HTTPAddress, to: HTTPAddress)?
        var head: ReceivedHead?
        var chunks: [Data] = []
        var unread = 0
        /// The length of the head or chunk that the reader has taken last, until it comes for the next.
        var taken = 0
        /// Whether the thread has to be told when there is room again.
        var isPaused = false
        var isCancelled = false
        var end: Result<LoadOutcome, ImageError>?
        var leftover = Leftover.nothing
        /// The bytes of the body that are counted in the budget, until the load is over.
        var countedByteCount = 0
        /// The metrics; nil before the transfer's turn has come.
        var metrics: TransferMetrics?
        var reader: CheckedContinuation<Void, Never>?
    }

    let request: HTTPRequest
    /// The numbers of transfers under way below which this one begins.
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

    /// The priority, which counts while the transfer waits for its turn.
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

/// The reader's side.
extension CurlTransfer {
    /// Returns the next delivery as soon as it is there. To be called until it returns the end.
    ///
    /// Throws how the transfer failed, after all that had arrived was delivered, and `CancellationError` at once when
    /// it was cancelled.
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

    /// Ends it: nobody wants it any more. Doing so twice, or when it is over, is no error.
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

    /// Follows the redirect that was delivered last, if it leads to `target`; does nothing otherwise.
    func follow(to target: HTTPAddress) { engine.post(.follow(self, to: target)) }

    /// Gives back the room that the body has taken. To be called when the load is over, and ended or cancelled before.
    func giveBackRoom() {
        let byteCount = state.withLock { state in
            defer { state.countedByteCount = 0 }
            return state.countedByteCount
        }
        engine.bodies.giveBack(byteCount)
    }

    /// Lets others have what was kept from them.
    private func give(_ leftover: Leftover) {
        switch leftover {
        case .nothing: break
        case .bytes(let count): engine.forgetLeftover(count)
        case .place: engine.post(.leave(self))
        }
    }

    /// The metrics so far; nil if its turn never came.
    var metrics: TransferMetrics? {
        state.withLock { state in
            guard var metrics = state.metrics else { return nil }
            // One that was cancelled has not been measured at its end.
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

/// The thread's side.
extension CurlTransfer {
    /// The priority; nil if the transfer is not wanted any more.
    var wantedPriority: Priority? { state.withLock { $0.isCancelled ? nil : $0.priority } }

    /// Begins the transfer's turn.
    func begin(at now: ContinuousClock.Instant) {
        var metrics = TransferMetrics()
        metrics.queued = start.duration(to: now)
        state.withLock { $0.metrics = metrics }
    }

    /// Asks the reader whether a redirect may be followed. If so, `follow` is posted.
    func ask(from source: HTTPAddress, to target: HTTPAddress) {
        state.withLock { state in
            if !state.isCancelled { state.redirect = (source, target) }
        }
    }

    /// Whether there is room now for a body of so many bytes in all.
    func hasRoom(for byteCount: Int) -> Bool {
        engine.bodies.hasRoom(for: byteCount - BodyBudget.freeByteCount, within: request.maxArrivingBytes)
    }

    /// Takes room for a body of so many bytes so far; false when there is too little.
    func grow(to byteCount: Int) -> Bool {
        let counted = byteCount - BodyBudget.freeByteCount
        guard counted > 0 else { return true }
        return state.withLock { state in
            // The load may be over by now, and would give nothing back.
            guard !state.isCancelled else { return true }
            let isTaken = engine.bodies.take(counted - state.countedByteCount, within: request.maxArrivingBytes)
            if isTaken { state.countedByteCount = counted }
            return isTaken
        }
    }

    /// Takes what has come: the head, which is there once and before the first byte, and bytes. Returns how many lie
    /// here unread.
    func put(_ head: ReceivedHead?, _ chunk: Data) -> Int {
        state.withLock { state in
            guard !state.isCancelled else { return 0 }
            if let head { state.head = head }
            guard !chunk.isEmpty else { return state.unread }
            state.unread += chunk.count
            state.metrics?.receivedByteCount += chunk.count
            // Small pieces are joined while nobody takes them, so that there are never many.
            let room = Self.chunkSize - (state.chunks.last?.count ?? Self.chunkSize)
            if chunk.count <= room {
                state.chunks[state.chunks.count - 1].append(chunk)
            } else {
                state.chunks.append(chunk)
            }
            return state.unread
        }
    }

    /// Pauses the transfer until there is room. Returns false if the reader has made room meanwhile.
    func pause() -> Bool {
        state.withLock { state in
            state.isPaused = state.unread > Self.window / 2
            return state.isPaused
        }
    }

    /// Ends it, with what it was like; nil when it did not come to a connection.
    /// - Returns: Whether its place is free now. If not, `leave` is posted when its reader has taken the end.
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

    /// Wakes the reader, if it waits and there is something for it.
    func wake() {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }
}
#endif
