/// A picture as it comes from a decoder.
struct DecodedPicture: Sendable {
    var image: Image
    let step: ImageMetrics.Step
    /// Its place among those that are not finished.
    let reservation: Backlog.Reservation
}

extension Pipeline {
    /// The original as an image, at the size that is asked for.
    ///
    /// An original from a cache that does not decode is removed and loaded, once for all waiters.
    func decoded(
        _ key: DecodeKey, _ work: RequestWork,
        onReport: (@Sendable (WorkReport) -> Void)? = nil
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
                // From here on others may be waited for.
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

    /// The original as an image; where it came from a cache and does not decode, that which is loaded in its place.
    private func decodedOrLoaded(
        _ original: Original, _ key: DecodeKey, _ work: RequestWork
    ) async throws -> PipelineOutput {
        if let output = try await decodedUnlessLoadedAgain(original, key, work) {
            return output
        }
        let loaded = try await self.original(key.original.withoutCache, work)
        return try await decoded(loaded, key, work)
    }

    /// The original as an image; nil when it came from a cache, is damaged there or not whole, and may be loaded.
    private func decodedUnlessLoadedAgain(
        _ original: Original, _ key: DecodeKey, _ work: RequestWork
    ) async throws -> PipelineOutput? {
        do {
            let output = try await decoded(original, key, work)
            guard original.isFromCache, output.decoded.attributes.isPartial else { return output }
            remove(original, work.request)
            return key.original.isLoadingAllowed ? nil : output
        } catch let error as ImageError where Self.unreadableCodes.contains(error.code) && original.isFromCache {
            note(error, of: work.request)
            // What another coder can read is left for it.
            if error.code == .badData { remove(original, work.request) }
            guard key.original.isLoadingAllowed else { throw error }
            return nil
        }
    }

    /// The codes of errors that make an original in a cache count as absent.
    private static let unreadableCodes: Set<ImageError.Code> = [.badData, .unknownFormat]

    /// Begins to remove an original from the cache that it came from.
    private func remove(_ original: Original, _ request: ResolvedRequest) {
        guard let cache = request.cacheOfOriginal, let bytes = original.bytes else { return }
        remove(bytes.data, of: request.variant.original, from: cache, request)
    }

    private func decoded(
        _ original: Original, _ key: DecodeKey, _ work: RequestWork
    ) async throws -> PipelineOutput {
        var decoded: DecodedPicture
        do {
            decoded = try await picture(of: original, work)
        } catch let error as ImageError where original.source == .loader && error.stage == .decode {
            await remember(error, of: work)
            throw error
        }
        let version = await version(of: original, for: work.demand)
        // A cancelled request is told no version, and nothing may be stored without one.
        try Task.checkCancellation()
        decoded.image = decoded.image.made(of: version, chosenBy: vary(of: original, work.request))
        if !decoded.image.attributes.isPartial {
            await original.replacement?.take {
                await self.removeVariants(of: work.request)
                // Also what was stored of it by requests that did not know that it replaces anything.
                original.stores.forget()
            }
        }
        let store = storeOriginal(original, decoded: decoded.image, work)
        return PipelineOutput(
            image: decoded.image, decoded: decoded.image, original: original, source: original.source,
            reservation: decoded.reservation, steps: original.steps + [decoded.step],
            expiration: expiration(of: original, work.request), originalStore: store)
    }

    private func picture(
        of original: Original, _ work: RequestWork
    ) async throws -> DecodedPicture {
        let waiting = original.reservation(in: undecoded, for: work.demand.priority)
        switch original.content {
        case .bytes(let bytes):
            return try await decode(
                bytes, waiting: waiting, context: work.request.context, work)
        case .image(let image):
            return try await cut(image, waiting: waiting, work)
        }
    }

    /// Decodes bytes on the lane for it.
    /// - Parameter waiting: Their share of what waits to be decoded.
    func decode(
        _ bytes: ImageBytes, waiting: Backlog.Reservation, context: ResolvedContext, _ work: RequestWork
    ) async throws -> DecodedPicture {
        defer { withExtendedLifetime(waiting) {} }
        // Bytes that are still somewhere else may have to be waited for.
        let isSmall = !bytes.isReadWhenAsked && bytes.byteCount <= Self.immediateByteCount
        return try await decoding(
            work, of: bytes, costHere: isSmall ? CoderChain.immediateCost : nil
        ) { job, admission in
            let (image, coder) = try self.coders.decode(bytes, context: context, job: job, admission: admission) {
                self.note($0, of: work.request)
            }
            return (image, coder)
        }
    }

    /// Cuts an image that a loader or a cache had ready to the size that is asked for.
    private func cut(
        _ image: Image, waiting: Backlog.Reservation, _ work: RequestWork
    ) async throws -> DecodedPicture {
        let options = coders.decodeOptions(work.request.context)
        defer { withExtendedLifetime(waiting) {} }
        // Where nothing is to be done nobody has to go elsewhere for it.
        let costHere = image.pixels.hasUncheckedClaims ? nil : 0
        return try await decoding(
            work, of: nil, costHere: costHere
        ) { [self] job, admission in
            try DecodeLimits(work.request.context).check(image)
            try admission.take(DecodeCost(cutting: image, to: options).byteCount)
            let job = job.decoding(work.request.context, time: time)
            let checked = try image.checkingClaims(stage: .load, job: job) { note($0, of: work.request) }
            return (try checked.checkingClaimsOfFrames().cut(to: options, job: job), nil)
        }
    }

    /// A decoded image and the name of its coder.
    private typealias Decoded = (image: Image, coder: String?)

    /// A file of at most this length can be decoded on the thread of its request.
    private static let immediateByteCount = 64 << 10

    /// Runs `body` once there is room for it: on this thread if it costs no more than `costHere`, otherwise on the lane
    /// for decoding.
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
                // Before the next waiter is admitted, which looks whether there is room.
                return DecodedPicture(
                    image: image, step: step, reservation: self.reservation(of: image, work.request, from: bytes))
            } catch let excess as AsyncGate.Excess {
                suspended.put(span)
                throw excess
            } catch let deferral as AsyncGate.Deferral {
                span.postpone()
                throw deferral
            } catch {
                span.stop(error)
                throw error
            }
        }
    }

    /// The place of a picture among those that are not finished, together with the bytes that it was decoded from.
    func reservation(of image: Image, _ request: ResolvedRequest, from bytes: ImageBytes? = nil) -> Backlog.Reservation
    {
        // Not what an animation may come to hold, unless that is there already: its frames are made one after another.
        let byteCount = request.context[.preloadsFrames] ? image.byteCount : image.pixels.byteCount
        return unfinished.reserve(byteCount, bytes?.memoryByteCount ?? 0)
    }
}
