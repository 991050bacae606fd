/// An object that makes previews from the bytes that have arrived so far, while at least one waiter wants previews.
///
/// Previews are made one at a time on the decoding lane, with the lowest priority. The pauses between them leave the
/// lane to other work most of the time. An error ends the previews silently, because the final decode reports it.
final class PreviewMaker: Sendable {
    /// The decoder, and its progress.
    private struct Session {
        var decoder: (any ProgressiveDecoder)?
        /// The reservation of the decoder's memory; nil until the decoder reports the amount.
        var reservation: Backlog.Reservation?
        /// The bytes that the decoder reads.
        weak var bytes: ImageBytes?
        var offset = 0
        /// The number of bytes that the last preview was made from.
        var shownByteCount = 0
        var isOver = false
        /// The earliest time of the next preview.
        var earliest = Duration.zero
        /// Whether a timer is set for the earliest time of the next preview.
        var isAlarmSet = false
    }

    /// The bytes received so far. A waiter that begins to want previews gets a preview of them.
    private struct Arrival {
        weak var bytes: ImageBytes?
        var isWanted = false
        /// The token with which the observation of the waiter's demand is ended; nil once it has been ended.
        var observation: Int?
    }

    /// The minimum pause after a preview, as a multiple of the time that making the preview took.
    private static let restFactor = 3
    /// The number of bytes from which coders recognize a format.
    private static let signatureByteCount = 64

    private let pipeline: Pipeline
    private let work: RequestWork
    private let session = Lock(Session())
    private let arrival = Lock(Arrival())
    private let latest = LatestWork()

    /// Creates a maker whose previews are reported to the waiter of `work`.
    init(pipeline: Pipeline, _ work: RequestWork) {
        self.pipeline = pipeline
        self.work = work
        let observation = work.demand.observe { [weak self] demand in self?.follow(demand) }
        arrival.withLock { $0.observation = observation }
    }

    /// Starts a preview of the bytes so far when a waiter begins to want previews.
    private func follow(_ demand: Demand.Value) {
        let bytes = arrival.withLock { arrival in
            defer { arrival.isWanted = demand.wantsPreviews }
            return demand.wantsPreviews && !arrival.isWanted ? arrival.bytes : nil
        }
        if let bytes { take(bytes) }
    }

    /// Makes previews of the bytes in a report, and passes the report on to the waiter without the bytes.
    func receive(_ report: WorkReport) {
        // Complete bytes are decoded without a preview.
        let isWhole = report.progress.map { $0.byteCount == $0.expectedByteCount } ?? false
        if let bytes = report.bytes {
            let isPart = !isWhole && !bytes.isComplete
            arrival.withLock { $0.bytes = isPart ? bytes : nil }
            // The demand is checked after the bytes are set, so that a waiter that begins to want previews meanwhile
            // finds them.
            if isPart, work.demand.value.wantsPreviews { take(bytes) }
        }
        var told = report
        told.bytes = nil
        work.waiter.report(told)
    }

    /// Ends the previews, and releases the decoder, whose memory would otherwise add to that of the final decode.
    func end() {
        latest.end()
        close()
        let observation = arrival.withLock { arrival in
            defer { arrival.observation = nil }
            return arrival.observation
        }
        if let observation { work.demand.endObserving(observation) }
    }

    private func close() {
        session.withLock { session in
            session.isOver = true
            session.decoder = nil
            session.reservation = nil
        }
    }

    private func take(_ bytes: ImageBytes) {
        latest.take { await self.makePreview(of: bytes) }
    }

    private func makePreview(of bytes: ImageBytes) async {
        let now = pipeline.time.now()
        let (isOver, earliest, least) = session.withLock { ($0.isOver, $0.earliest, leastByteCount(after: $0)) }
        // The next bytes are reported too, so there is no need to wait for them here.
        guard !isOver, work.demand.value.wantsPreviews, bytes.byteCount >= least, !bytes.isComplete else { return }
        guard now >= earliest else {
            setAlarm(after: earliest - now, bytes)
            return
        }
        do {
            // At the lowest priority, after all other decodes: no request waits for a preview.
            let preview = try await pipeline.lanes.decodeOnBudget(for: Demand(.veryLow)) {
                [self] job, admission in
                try decode(
                    bytes, job: job.decoding(work.request.context, time: pipeline.time), admission: admission)
            }
            if let preview { work.waiter.report(WorkReport(preview: preview)) }
        } catch {
            close()
        }
        let end = pipeline.time.now()
        let pause = max(work.request.context[.previewInterval], (end - now) * Self.restFactor)
        session.withLock { $0.earliest = end + pause }
    }

    /// Returns the minimum number of received bytes for the next preview.
    private func leastByteCount(after session: Session) -> Int {
        let grown = Double(session.shownByteCount) * max(1, work.request.context[.previewGrowth])
        // Without a new byte, a preview would show nothing new.
        return max(session.offset + 1, Self.signatureByteCount + 1, Int(exactly: grown.rounded(.up)) ?? .max)
    }

    /// Sets a timer for the next preview, so that the bytes received so far are shown even if no more arrive.
    private func setAlarm(after delay: Duration, _ bytes: ImageBytes) {
        let isFirst = session.withLock { session in
            defer { session.isAlarmSet = true }
            return !session.isAlarmSet
        }
        guard isFirst else { return }
        pipeline.time.after(delay) { [weak self, weak bytes] in
            guard let self, let bytes else { return }
            session.withLock { $0.isAlarmSet = false }
            take(bytes)
        }
    }

    /// Returns a preview of the bytes so far; nil if nothing can be shown yet. Blocks.
    private func decode(_ bytes: ImageBytes, job: Job, admission: AsyncGate.Admission) throws -> Image? {
        // Unchecked: the decoder is used only here, by one thread at a time, since `LatestWork` does one piece of work
        // at a time. Other methods only release it.
        var session = self.session.withLockUnchecked { $0 }
        defer {
            self.session.withLockUnchecked {
                guard !$0.isOver else { return }
                session.isAlarmSet = $0.isAlarmSet
                $0 = session
            }
        }
        let options = pipeline.coders.decodeOptions(work.request.context)
        // A retried load starts over.
        if session.bytes !== bytes {
            (session.decoder, session.reservation, session.offset, session.shownByteCount) = (nil, nil, 0, 0)
            session.bytes = bytes
            // The former decoder is released before the new one reserves memory.
            self.session.withLock { ($0.decoder, $0.reservation) = (nil, nil) }
        }
        if session.decoder == nil {
            let head = ImageBytes(bytes.head(Self.signatureByteCount))
            session.decoder = try pipeline.coders.progressiveDecoder(for: head, options: options)
        }
        guard let decoder = session.decoder else {
            session.isOver = true
            return nil
        }
        while let chunk = bytes.chunk(at: session.offset) {
            try job.check()
            try decoder.append(chunk.bytes, isLast: false)
            session.offset += chunk.count
        }
        if session.reservation == nil, decoder.workingByteCount > 0 {
            guard !pipeline.previewed.isFull(for: .veryHigh) else {
                session.decoder = nil
                session.isOver = true
                return nil
            }
            session.reservation = pipeline.previewed.reserve(decoder.workingByteCount)
        }
        do {
            let preview =
                decoder.isAnimation
                ? try animation(in: bytes, job: job, admission: admission)
                : try pipeline.coders.preview(by: decoder, options: options, job: job, admission: admission)
            session.shownByteCount = session.offset
            return preview
        } catch let error as ImageError where error.code == .incomplete {
            return nil
        }
    }

    /// Returns an animation of the frames that have arrived so far. Throws `incomplete` if no frame can be shown yet.
    private func animation(in bytes: ImageBytes, job: Job, admission: AsyncGate.Admission) throws -> Image {
        let context = work.request.context.adding(.processor, [.on(.allowPartial)])
        do {
            let image = try pipeline.coders.decode(
                ImageBytes(bytes.data), context: context, job: job, admission: admission
            ).image
            // As a still, the first frame would be transformed, unlike the animation.
            guard image.isAnimated || !work.request.leavesAnimations || context[.frame] != nil else {
                throw ImageError(.incomplete, stage: .decode, message: "too few bytes to show a second frame")
            }
            return image
        } catch let error as ImageError where error.code == .badData {
            throw ImageError(.incomplete, stage: .decode, message: "too few bytes to show a frame")
        }
    }
}
