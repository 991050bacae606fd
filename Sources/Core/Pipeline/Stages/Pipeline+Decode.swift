/// A picture from a decoder.
struct DecodedPicture: Sendable {
    var image: Image
    let step: ImageMetrics.Step
    /// The picture's share of the `unfinished` backlog.
    let reservation: Backlog.Reservation
}

extension Pipeline {
    /// Returns the original as an image, at the requested size. A cached original that cannot be decoded is loaded
    /// again, once for all waiters.
    func decoded(
        _ key: DecodeKey, _ work: RequestWork,
        onReport: ReportReceiver? = nil
    ) async throws -> PipelineOutput {
        try await decodes.value(
            for: key, work.begun(after: key.original.changeCount), onReport: onReport, onJoin: joining(.decode, work)
        ) { work in
            let isKept = self.originalsInUse.begin(key.original.transfer)
            defer { if isKept { self.originalsInUse.end(key.original.transfer) } }
            let immediate = self.immediatelyKept(key.original, work)
            if case .found(let kept)? = immediate {
                if self.isUsable(kept, by: key.original, work.request) {
                    return try await self.decodedOrLoaded(kept, key, work)
                }
                // The steps below may wait for other work.
                kept.release()
            }
            let previews = PreviewMaker(pipeline: self, work)
            defer { previews.end() }
            let original = try await self.original(
                key.original, work, after: immediate, onReport: previews.receive)
            previews.end()
            return try await self.decodedOrLoaded(original, key, work)
        }
    }

    /// Returns the original as an image. A cached original that does not decode is loaded again.
    private func decodedOrLoaded(
        _ original: Original, _ key: DecodeKey, _ work: RequestWork
    ) async throws -> PipelineOutput {
        if let output = try await decodedUnlessLoadedAgain(original, key, work) {
            return output
        }
        let loaded = try await self.original(key.original.withoutCache, work)
        return try await decoded(loaded, work)
    }

    /// Returns the original as an image. Returns nil if a cached original is unusable and must be loaded again.
    private func decodedUnlessLoadedAgain(
        _ original: Original, _ key: DecodeKey, _ work: RequestWork
    ) async throws -> PipelineOutput? {
        do {
            let output = try await decoded(original, work)
            guard original.isFromCache, output.decoded.attributes.isPartial else { return output }
            remove(original, work.request)
            return key.original.isLoadingAllowed ? nil : output
        } catch let error as ImageError where Self.unreadableCodes.contains(error.code) && original.isFromCache {
            noteIssue(error, of: work.request)
            // An entry in an unknown format is kept for other coders.
            if error.code == .badData { remove(original, work.request) }
            guard key.original.isLoadingAllowed else { throw error }
            return nil
        }
    }

    /// The codes of errors for which a cached original counts as absent.
    private static let unreadableCodes: Set<ImageError.Code> = [.badData, .unknownFormat]

    /// Begins to remove an original from the cache that it came from.
    private func remove(_ original: Original, _ request: ResolvedRequest) {
        guard let cache = request.cacheOfOriginal, let bytes = original.bytes else { return }
        remove(bytes.data, of: request.variant.original, from: cache, request)
    }

    /// Decodes an original. If it was loaded and is complete, it then replaces the cached entries of its source.
    /// Reports the result to the waiter, which stores the original.
    func decoded(_ original: Original, _ work: RequestWork) async throws -> PipelineOutput {
        let context = work.request.context
        var decoded: DecodedPicture
        var failure: ImageError?
        do {
            decoded = try await picture(of: original, context, work)
        } catch let error as ImageError where original.source == .loader && Self.isFailedStep(error) {
            // The original is decoded and stored all the same, as if the transformer had failed later.
            failure = error
            decoded = try await picture(of: original, context.adding(.request, [.off(.transformers)]), work)
        }
        let version = await version(of: original, for: work.demand)
        // The version is also nil if the request was cancelled. Nothing may be stored without it in that case.
        try Task.checkCancellation()
        decoded.image = decoded.image.made(of: version, chosenBy: vary(of: original, work.request))
        if !decoded.image.attributes.isPartial {
            await original.replacement?.take {
                await self.removeVariants(of: work.request)
                // Includes the stores of requests that did not know that the original replaces anything.
                original.stores.forget()
            }
        }
        let output = PipelineOutput(
            image: decoded.image, decoded: decoded.image, original: original, source: original.source,
            reservation: decoded.reservation, steps: original.steps + [decoded.step],
            expiration: expiration(of: original, work.request))
        // A partial original is not stored, and may be loaded again while the report is kept.
        if !output.decoded.attributes.isPartial { work.waiter.report(WorkReport(decoded: output)) }
        if let failure { throw failure }
        return output
    }

    /// Returns whether an error is that of a transformer that is done while the picture is decoded.
    private static func isFailedStep(_ error: ImageError) -> Bool {
        error.stage == .transform && [.transformFailed, .limitExceeded].contains(error.code)
    }

    /// Decodes an original. Remembers the error if a loaded original cannot be decoded.
    private func picture(
        of original: Original, _ context: ResolvedContext, _ work: RequestWork
    ) async throws -> DecodedPicture {
        let waiting = original.reservation(in: undecoded, for: work.demand.priority)
        do {
            return switch original.content {
            case .bytes(let bytes): try await decode(bytes, waiting: waiting, context: context, work)
            case .image(let image): try await cut(image, waiting: waiting, context: context, work)
            }
        } catch let error as ImageError where original.source == .loader && error.stage == .decode {
            await remember(error, of: work)
            throw error
        }
    }

    /// Decodes bytes on the decoding lane, or on the current thread if that costs little.
    /// - Parameter waiting: The reservation of the bytes in ``Pipeline/undecoded``, which lasts until they are decoded.
    func decode(
        _ bytes: ImageBytes, waiting: Backlog.Reservation, context: ResolvedContext, _ work: RequestWork
    ) async throws -> DecodedPicture {
        defer { withExtendedLifetime(waiting) {} }
        // Bytes that are read on demand may have to be waited for.
        let isSmall = !bytes.isReadWhenAsked && bytes.byteCount <= Self.immediateByteCount
        return try await decoding(
            work, of: bytes, costHere: isSmall ? CoderChain.immediateCost : nil
        ) { job, admission in
            let (image, coder) = try self.coders.decode(bytes, context: context, job: job, admission: admission) {
                self.noteIssue($0, of: work.request)
            }
            return (image, coder)
        }
    }

    /// Returns an original that is already an image, from a loader or from memory, at the requested size.
    private func cut(
        _ image: Image, waiting: Backlog.Reservation, context: ResolvedContext, _ work: RequestWork
    ) async throws -> DecodedPicture {
        let options = coders.decodeOptions(context)
        defer { withExtendedLifetime(waiting) {} }
        // An image that needs no work needs no other thread.
        let costHere = image.pixels.hasUncheckedClaims ? nil : 0
        return try await decoding(
            work, of: nil, costHere: costHere
        ) { [self] job, admission in
            try DecodeLimits(context).check(image)
            let cost = try DecodeCost(cutting: image, to: options).byteCount
            try admission.take(cost)
            let job = job.decoding(context, time: time)
            let checked = try image.checkingClaims(stage: .load, job: job) { noteIssue($0, of: work.request) }
            let cut = try checked.checkingClaimsOfFrames().cut(to: options, job: job)
            guard cost > 0, work.request.steps.isEmpty else { return (cut, nil) }
            return (try cut.preloaded(as: context, job: job), nil)
        }
    }

    /// A decoded image and the name of its coder.
    private typealias Decoded = (image: Image, coder: String?)

    /// The maximum length of a file, in bytes, that may be decoded on the thread of its request.
    private static let immediateByteCount = 64 << 10

    /// Runs a decode with ``Lanes/decodeOnBudget(for:job:costHere:_:)``. Reports it as a step, and reserves room for
    /// its picture in the `unfinished` backlog.
    private func decoding(
        _ work: RequestWork, of bytes: ImageBytes?, costHere: Int?,
        _ body: @escaping @Sendable (Job, AsyncGate.Admission) throws -> Decoded
    ) async throws -> DecodedPicture {
        let suspended = SuspendedSpan()
        defer { suspended.stop() }
        return try await lanes.decodeOnBudget(for: work.demand, costHere: costHere) { job, admission in
            let span = try suspended.take() ?? self.begin(.decode, of: work)
            do {
                let (image, coder) = try body(job, admission)
                let step = span.end(component: coder, byteCount: image.byteCount)
                // Reserved here, before the gate checks for room and admits the next waiter.
                return DecodedPicture(
                    image: image, step: step, reservation: self.reservation(of: image, work.request, from: bytes))
            } catch let excess as AsyncGate.Excess {
                suspended.put(span)
                throw excess
            } catch let deferral as AsyncGate.Deferral {
                span.postpone()
                throw deferral
            } catch {
                span.fail(error)
                throw error
            }
        }
    }

    /// Reserves a share of the `unfinished` backlog for a picture and the bytes that it was decoded from.
    func reservation(of image: Image, _ request: ResolvedRequest, from bytes: ImageBytes? = nil) -> Backlog.Reservation
    {
        // The frames of an animation count only if they are preloaded: otherwise they are decoded one after another.
        let byteCount = request.context[.preloadsFrames] ? image.byteCount : image.pixels.byteCount
        return unfinished.reserve(byteCount, bytes?.memoryByteCount ?? 0)
    }
}
