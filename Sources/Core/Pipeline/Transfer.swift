/// Where a loader's bytes go: kept for all who wait, counted against the limit, reported, and looked at before the most
/// of them is paid for.
final class Transfer: ByteSink {
    /// So many bytes are taken before the header is judged.
    private static let headByteCount = 32 << 10

    let bytes = ImageBytes()
    private let pipeline: Pipeline
    private let resolution: Resolution
    private let interest: Interest
    private let limit: Int

    private struct State {
        var head: LoadHead?
        var isJudged = false
    }

    private let state = Lock(State())

    init(pipeline: Pipeline, resolution: Resolution, interest: Interest) {
        self.pipeline = pipeline
        self.resolution = resolution
        self.interest = interest
        limit = resolution.context[.maxInputBytes]
    }

    /// What the loader said before the first byte.
    var head: LoadHead? { state.withLock { $0.head } }

    func begin(_ head: LoadHead) async throws {
        if let expected = head.expectedByteCount, expected > limit { throw tooLong("announces \(expected)") }
        guard head.offset == 0 else {
            throw ImageError(
                .loadFailed, stage: .load, message: "the loader began at byte \(head.offset), not at the beginning",
                advice: "report it to the loader's author")
        }
        state.withLock { $0.head = head }
        report()
    }

    func write(_ chunk: Data) async throws {
        try Task.checkCancellation()
        guard chunk.count <= limit - bytes.byteCount else { throw tooLong("has more") }
        bytes.append(chunk)
        report()
        let isDue = state.withLock { state in
            guard !state.isJudged, bytes.byteCount >= Self.headByteCount else { return false }
            state.isJudged = true
            return true
        }
        if isDue { try await judgeHeader() }
    }

    /// All the bytes, now that the last one is there.
    func finish() async throws -> ImageBytes {
        bytes.finish()
        return bytes
    }

    private func report() {
        let progress = LoadProgress(byteCount: bytes.byteCount, expectedByteCount: head?.expectedByteCount)
        interest.report(.progress(progress))
    }

    /// Refuses a picture that is no image, or larger than the request allows, while most of it is still elsewhere.
    ///
    /// Coders that cannot tell yet are not asked again: decoding will.
    private func judgeHeader() async throws {
        let head = ImageBytes(bytes.data)
        let refusal = try await pipeline.lanes.decoding.run(for: interest, job: Job()) {
            [pipeline, resolution] _ -> ImageError? in
            do {
                let info = try pipeline.info(of: head, context: resolution.context)
                try DecodeLimits(resolution.context).check(info.pixelSize)
                return nil
            } catch let error as ImageError where error.code == .limitExceeded || error.code == .unknownFormat {
                return error
            } catch {
                return nil
            }
        }
        if let refusal { throw refusal }
    }

    private func tooLong(_ what: String) -> ImageError {
        ImageError(
            .limitExceeded, stage: .load, message: "\(what) bytes; \(limit) are allowed",
            advice: "raise the context value `maxInputBytes` if the source is trusted")
    }
}
