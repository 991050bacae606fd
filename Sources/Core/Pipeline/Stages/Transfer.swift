/// The receiver of a loader's bytes. It keeps them, enforces `maxInputBytes`, reports progress and checks the header.
final class Transfer: ByteSink {
    /// The number of received bytes at which the header is inspected.
    private static let headByteCount = 32 << 10
    /// The number of bytes from which coders recognize a format.
    private static let signatureByteCount = 64

    let bytes = ImageBytes()
    private let work: RequestWork
    private let gate: AsyncGate?
    private let limit: Int

    private struct State {
        /// The pipeline; nil once the transfer has ended, because the loader may still retain this sink.
        var pipeline: Pipeline?
        var head: LoadHead?
        var isJudged = false
        var metrics: TransferMetrics?
        /// Whether the loader may still write.
        var isOpen = true
        /// Whether the transfer has passed the gate and holds a place.
        var hasTurn = false
    }

    private let state: Lock<State>

    /// Creates the receiver for one attempt to load.
    /// - Parameter gate: The ``AsyncGate`` to enter before the first byte; nil for none.
    init(pipeline: Pipeline, _ work: RequestWork, gate: AsyncGate?) {
        state = Lock(State(pipeline: pipeline))
        self.work = work
        self.gate = gate
        limit = work.request.context[.maxInputBytes]
    }

    /// The head that the loader reported before the first byte; nil if there is none.
    var head: LoadHead? { state.withLock { $0.head } }

    /// The metrics that the loader reported; nil if there are none.
    var metrics: TransferMetrics? { state.withLock { $0.metrics } }

    func begin(_ head: LoadHead) async throws {
        if let expected = head.expectedByteCount, expected > limit { throw tooLong("announces \(expected)") }
        guard head.offset == 0 else {
            throw misuse("began at byte \(head.offset) instead of 0")
        }
        try state.withLock { state in
            guard state.isOpen, state.head == nil, bytes.byteCount == 0 else { throw misuse("called `begin` twice") }
            state.head = head
        }
        report()
    }

    func write(_ chunk: Data) async throws {
        // Only before the first byte: a transfer that has passed delivers all of its bytes, so that they can be decoded
        // and released.
        if let gate, bytes.byteCount == 0 { try await waitForTurn(at: gate) }
        try await add(chunk.count) { try bytes.append(chunk) }
    }

    func take(_ source: any ByteSource) async throws {
        guard source.byteCount <= limit - bytes.byteCount else { throw tooLong("has more") }
        // The bytes are copied in pieces if they are also needed apart from the image, so that they are read only once,
        // or if previews are wanted, which are made from pieces. They are also copied if the coder needs all bytes at
        // once: it would read them on the decoding lane, where reading cannot be interrupted.
        guard !work.request.wantsWholeOriginal(head), !work.demand.value.wantsPreviews, bytes.byteCount == 0,
            try await isReadInPieces(source)
        else { return try await writePieces(of: source, for: work.demand) }
        let byteCount = source.byteCount
        try await add(byteCount) {
            guard bytes.byteCount == 0 else { throw misuse("wrote concurrently") }
            bytes.finish(with: source, byteCount: byteCount)
        }
    }

    /// Returns whether the data of a source is decoded in pieces. The first coder that recognizes the data decides.
    private func isReadInPieces(_ source: any ByteSource) async throws -> Bool {
        let pipeline = try pipeline()
        return try await pipeline.lanes.inspecting.run(for: work.demand, job: Job()) { [pipeline, work] _ in
            let head = ImageBytes(try source.bytes(at: 0, count: min(Self.signatureByteCount, source.byteCount)))
            let coders = pipeline.coders.decodingCoders(for: work.request.context).admitted
            return coders.first { $0.recognizes(head) }?.readsInPieces ?? false
        }
    }

    /// Checks that further bytes do not exceed `maxInputBytes`, and then calls `body`, which adds them.
    private func add(_ byteCount: Int, _ body: () throws -> Void) async throws {
        try Task.checkCancellation()
        let isDue = try state.withLock { state in
            guard state.isOpen, !bytes.isComplete else { throw misuse("wrote after the load ended") }
            guard byteCount <= limit - bytes.byteCount else { throw tooLong("has more") }
            try body()
            guard !state.isJudged, bytes.byteCount >= Self.headByteCount else { return false }
            state.isJudged = true
            return true
        }
        report()
        if isDue { try await judgeHeader() }
    }

    func record(_ metrics: TransferMetrics) {
        state.withLock { $0.metrics = metrics }
    }

    /// Waits for a place at the gate, unless the transfer holds one.
    private func waitForTurn(at gate: AsyncGate) async throws {
        guard !state.withLock({ $0.hasTurn }) else { return }
        try await gate.enter(for: work.demand)
        let keepsTurn = state.withLock { state in
            // The place is given back if the transfer has ended, or a concurrent write already holds one.
            guard state.isOpen, !state.hasTurn else { return false }
            state.hasTurn = true
            return true
        }
        if !keepsTurn { gate.leave() }
    }

    /// Ends the transfer, and leaves the gate if it was entered. Call this after the bytes were reserved in
    /// ``Pipeline/undecoded``, or after the load failed.
    func end() {
        close()
        let hadTurn = state.withLock { state in
            defer { (state.hasTurn, state.pipeline) = (false, nil) }
            return state.hasTurn
        }
        if hadTurn { gate?.leave() }
    }

    /// Closes the transfer to further bytes. Does nothing if it is already closed.
    func close() {
        let isFirst = state.withLock { state in
            defer { state.isOpen = false }
            return state.isOpen
        }
        if isFirst { bytes.finish() }
    }

    /// Returns the pipeline of the transfer. Throws once the transfer has ended.
    private func pipeline() throws(ImageError) -> Pipeline {
        guard let pipeline = state.withLock({ $0.pipeline }) else { throw misuse("wrote after the load ended") }
        return pipeline
    }

    private func report() {
        let progress = LoadProgress(byteCount: bytes.byteCount, expectedByteCount: head?.expectedByteCount)
        // The loader's turn must not apply to the receiver of the event, although it is called in the loader's task.
        LoadTurn.$current.withValue(nil) { work.waiter.report(WorkReport(progress: progress, bytes: bytes)) }
    }

    /// Inspects the header. Throws if the format is unknown, or if the image exceeds a limit of the request.
    ///
    /// Does not throw if the coders cannot decide yet. The decoder then rejects invalid data.
    private func judgeHeader() async throws {
        let pipeline = try pipeline()
        let refusal = try await pipeline.lanes.inspecting.run(for: work.demand, job: Job()) {
            [pipeline, work, bytes] _ -> ImageError? in
            do {
                let head = ImageBytes(bytes.head(Self.headByteCount))
                if let failure = bytes.failure { return failure }
                _ = try pipeline.coders.info(of: head, context: work.request.context)
                return nil
            } catch let error as ImageError where error.code == .limitExceeded || error.code == .unknownFormat {
                return error
            } catch {
                return nil
            }
        }
        if let refusal { throw refusal }
    }

    private func misuse(_ what: String) -> ImageError {
        ImageError(
            .loadFailed, stage: .load, message: "the loader \(what)", advice: "report it to the loader's author")
    }

    private func tooLong(_ what: String) -> ImageError {
        .beyondLimit("\(what) bytes", limit, key: "maxInputBytes", stage: .load)
    }
}
