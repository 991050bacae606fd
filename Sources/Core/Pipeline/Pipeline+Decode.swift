/// The identity of a decode: the original and the settings.
struct DecodeKey: Hashable, Sendable {
    let original: OriginalKey
    /// The canonical text of the values that change what is decoded.
    let decoding: String

    /// - Parameter access: Where the original may come from; nil as the request says.
    init(_ resolved: ResolvedRequest, access: OriginalAccess? = nil, after changes: CacheChanges) {
        original = OriginalKey(resolved, access: access, after: changes)
        decoding = resolved.decoding
    }

    /// Compares bytes, as the cache keys of the results do.
    static func == (one: DecodeKey, other: DecodeKey) -> Bool {
        one.original == other.original && one.decoding.isSame(as: other.decoding)
    }
}

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
        _ key: DecodeKey, _ resolved: ResolvedRequest, waiter: any Waiter,
        onReport: (@Sendable (WorkReport) -> Void)? = nil
    ) async throws -> PipelineOutput {
        try await decodes.value(
            for: key, waiter: waiter, onReport: onReport, onJoin: joining(.decode, resolved, waiter)
        ) { waiter in
            let isKept = self.originalsInUse.begin(key.original.transfer)
            defer { if isKept { self.originalsInUse.end(key.original.transfer) } }
            let immediate = self.immediatelyKept(key.original, resolved, waiter: waiter)
            if case .found(let kept)? = immediate {
                if self.isUsable(kept, by: key.original, resolved) {
                    return try await self.decodedOrLoaded(kept, key, resolved, waiter: waiter)
                }
                // From here on others may be waited for.
                kept.release()
            }
            let previews = PreviewMaker(pipeline: self, resolved: resolved, waiter: waiter)
            defer { previews.end() }
            let original = try await self.original(
                key.original, resolved, waiter: waiter, after: immediate, onReport: previews.receive)
            previews.end()
            return try await self.decodedOrLoaded(original, key, resolved, waiter: waiter)
        }
    }

    /// The original as an image; where it came from a cache and does not decode, that which is loaded in its place.
    private func decodedOrLoaded(
        _ original: Original, _ key: DecodeKey, _ resolved: ResolvedRequest, waiter: any Waiter
    ) async throws -> PipelineOutput {
        if let output = try await decodedUnlessLoadedAgain(original, key, resolved, waiter: waiter) {
            return output
        }
        let loaded = try await self.original(key.original.withoutCache, resolved, waiter: waiter)
        return try await decoded(loaded, key, resolved, waiter: waiter)
    }

    /// The original as an image; nil when it came from a cache, is damaged there or not whole, and may be loaded.
    private func decodedUnlessLoadedAgain(
        _ original: Original, _ key: DecodeKey, _ resolved: ResolvedRequest, waiter: any Waiter
    ) async throws -> PipelineOutput? {
        do {
            let output = try await decoded(original, key, resolved, waiter: waiter)
            guard original.isFromCache, output.decoded.attributes.isPartial else { return output }
            remove(original, resolved)
            return key.original.isLoadingAllowed ? nil : output
        } catch let error as ImageError where Self.unreadableCodes.contains(error.code) && original.isFromCache {
            note(error, of: resolved)
            // What another coder can read is left for it.
            if error.code == .badData { remove(original, resolved) }
            guard key.original.isLoadingAllowed else { throw error }
            return nil
        }
    }

    /// The codes of errors that make an original in a cache count as absent.
    private static let unreadableCodes: Set<ImageError.Code> = [.badData, .unknownFormat]

    /// Begins to remove an original from the cache that it came from.
    private func remove(_ original: Original, _ resolved: ResolvedRequest) {
        guard let cache = resolved.cacheOfOriginal, let bytes = original.bytes else { return }
        remove(bytes.data, of: resolved.variant.original, from: cache, resolved)
    }

    private func decoded(
        _ original: Original, _ key: DecodeKey, _ resolved: ResolvedRequest, waiter: any Waiter
    ) async throws -> PipelineOutput {
        var decoded: DecodedPicture
        do {
            decoded = try await picture(of: original, resolved, waiter: waiter)
        } catch let error as ImageError where original.source == .loader && error.stage == .decode {
            await remember(error, of: resolved, waiter: waiter)
            throw error
        }
        let version = await version(of: original, waiter: waiter)
        // A cancelled request is told no version, and nothing may be stored without one.
        try Task.checkCancellation()
        decoded.image = decoded.image.made(of: version, chosenBy: vary(of: original, resolved))
        if !decoded.image.attributes.isPartial {
            await original.replacement?.take {
                await self.removeVariants(of: resolved)
                // Also what was stored of it by requests that did not know that it replaces anything.
                original.stores.forget()
            }
        }
        storeOriginal(original, decoded: decoded.image, resolved, after: key.original.changeCount)
        return PipelineOutput(
            image: decoded.image, decoded: decoded.image, original: original, source: original.source,
            reservation: decoded.reservation, steps: original.steps + [decoded.step],
            expiration: expiration(of: original, resolved))
    }

    private func picture(
        of original: Original, _ resolved: ResolvedRequest, waiter: any Waiter
    ) async throws -> DecodedPicture {
        let waiting = original.reservation(in: undecoded, for: waiter.priority)
        switch original.content {
        case .bytes(let bytes):
            return try await decode(
                bytes, waiting: waiting, context: resolved.context, resolved, waiter: waiter)
        case .image(let image):
            return try await cut(image, waiting: waiting, resolved, waiter: waiter)
        }
    }

    /// Decodes bytes on the lane for it.
    /// - Parameter waiting: Their share of what waits to be decoded.
    func decode(
        _ bytes: ImageBytes, waiting: Backlog.Reservation, context: ResolvedContext, _ resolved: ResolvedRequest,
        waiter: any Waiter
    ) async throws -> DecodedPicture {
        defer { withExtendedLifetime(waiting) {} }
        // Bytes that are still somewhere else may have to be waited for.
        let isSmall = !bytes.isReadWhenAsked && bytes.byteCount <= Self.byteCountHere
        return try await decoding(
            resolved, of: bytes, costHere: isSmall ? Self.costHere : nil, waiter: waiter
        ) { job, admission in
            let (image, coder) = try self.decode(bytes, context: context, job: job, admission: admission) {
                self.note($0, of: resolved)
            }
            return (image, coder)
        }
    }

    /// Cuts an image that a loader or a cache had ready to the size that is asked for.
    private func cut(
        _ image: Image, waiting: Backlog.Reservation, _ resolved: ResolvedRequest, waiter: any Waiter
    ) async throws -> DecodedPicture {
        let options = decodeOptions(resolved.context)
        defer { withExtendedLifetime(waiting) {} }
        // Where nothing is to be done nobody has to go elsewhere for it.
        let costHere = image.pixels.hasUncheckedClaims ? nil : 0
        return try await decoding(
            resolved, of: nil, costHere: costHere, waiter: waiter
        ) { [self] job, admission in
            try DecodeLimits(resolved.context).check(image)
            try admission.take(DecodeCost(cutting: image, to: options).byteCount)
            let job = job.decoding(resolved.context, time: time)
            let checked = try image.checkingClaims(stage: .load, job: job) { note($0, of: resolved) }
            return (try checked.checkingClaimsOfFrames().cut(to: options, job: job), nil)
        }
    }

    /// A decoded image and the name of its coder.
    private typealias Decoded = (image: Image, coder: String?)

    /// Files of so many bytes, and pictures that take so much memory, are decoded in well under a millisecond.
    private static let byteCountHere = 64 << 10
    private static let costHere = 512 << 10

    /// Whether that is so for the picture in the file, however small it is made. To find out how colours are converted
    /// takes longer, and somebody else's code.
    private func isQuick(_ info: ImageInfo) -> Bool {
        info.frameCount == 1 && PixelLayout(size: info.pixelSize, format: .rgba8).byteCount <= Self.costHere
            && (info.profile == .sRGB || registry.colorConverters.elements.isEmpty)
    }

    /// Runs `body` once there is room for it: on this thread if it costs no more than `costHere`, otherwise on the lane
    /// for decoding.
    private func decoding(
        _ resolved: ResolvedRequest, of bytes: ImageBytes?, costHere: Int?, waiter: any Waiter,
        _ body: @escaping @Sendable (Job, AsyncGate.Admission) throws -> Decoded
    ) async throws -> DecodedPicture {
        let suspended = SuspendedSpan()
        defer { suspended.stop() }
        return try await lanes.decodeOnBudget(for: waiter, costHere: costHere) { job, admission in
            let span = try suspended.take() ?? self.begin(.decode, of: resolved, for: waiter)
            do {
                let (image, coder) = try body(job, admission)
                let step = span.end(component: coder, byteCount: image.byteCount)
                // Before the next waiter is admitted, which looks whether there is room.
                return DecodedPicture(
                    image: image, step: step, reservation: self.reservation(of: image, resolved, from: bytes))
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
    func reservation(of image: Image, _ resolved: ResolvedRequest, from bytes: ImageBytes? = nil) -> Backlog.Reservation
    {
        // Not what an animation may come to hold, unless that is there already: its frames are made one after another.
        let byteCount = resolved.context[.preloadsFrames] ? image.byteCount : image.pixels.byteCount
        return unfinished.reserve(byteCount, bytes?.memoryByteCount ?? 0)
    }

    /// Decodes with the first coder that can. Throws the error of the first coder that failed, with the list of those
    /// asked.
    ///
    /// Blocks; runs on whatever thread calls it.
    /// - Parameters:
    ///   - admission: Told how much memory that is going to take; nil where nobody counts.
    ///   - onIssue: Told of what is wrong with the file but does not keep it from being decoded.
    func decode(
        _ bytes: ImageBytes, context: ResolvedContext, job: Job, admission: AsyncGate.Admission? = nil,
        onIssue: (ImageError) -> Void = { _ in }
    ) throws -> (image: Image, coder: String) {
        var issues: [ImageError] = []
        let outcome = Result {
            try decodeFirst(bytes, context: context, job: job, admission: admission) { issues.append($0) }
        }
        // What is begun anew finds them again.
        if case .failure(let error) = outcome, error.isInterlude { throw error }
        for issue in issues { onIssue(issue) }
        return try outcome.get()
    }

    private func decodeFirst(
        _ bytes: ImageBytes, context: ResolvedContext, job: Job, admission: AsyncGate.Admission?,
        onIssue: (ImageError) -> Void
    ) throws -> (image: Image, coder: String) {
        let options = decodeOptions(context)
        let job = job.decoding(context, time: time)
        return try firstCoder(for: bytes, options: options, mayNotBlock: admission?.isLimited == true) {
            decoder, coder in
            var options = options
            options.trustsDecoder = coder is any TruthfulCoder
            try job.check()
            let info = try info(of: decoder, context: context)
            let frame = try frame(of: info, context)
            if admission?.isLimited == true, !isQuick(info) { throw AsyncGate.Excess() }
            // What it throws has all of this begin anew: nothing is told or made before.
            try admission?.take(DecodeCost(of: info, in: bytes, by: decoder, options: options).byteCount)
            if info.isProfileDamaged { onIssue(.damagedProfile(component: coder.name)) }
            let (decoded, attributes) = try decode(
                frame, of: info, by: decoder, options: options, job: job, onIssue: onIssue)
            guard options.shownFrameCount(of: info) > 1 else {
                return (Image(pixels: decoded.pixels, attributes: attributes), coder.name)
            }
            let frames = try self.frames(decoded, of: info, in: bytes, by: coder, options: options)
            let image = Image(pixels: decoded.pixels, frames: frames, attributes: attributes)
                .selectingFrames(as: context)
            // Those that are to be transformed are all made when they are.
            guard context[.transformers].isEmpty else { return (image, coder.name) }
            return (try image.preloaded(as: context, job: job), coder.name)
        }
    }

    /// A frame, and what the image of it says of itself.
    private func decode(
        _ frame: Int, of info: ImageInfo, by decoder: any ImageDecoder, options: DecodeOptions, job: Job,
        onIssue: (ImageError) -> Void
    ) throws -> (DecodedFrame, Image.Attributes) {
        try withoutActuallyEscaping(onIssue) { onIssue in
            let colors = ColorStep(
                converters: registry.colorConverters.elements, options: options, source: info.profile, onIssue: onIssue)
            let decoded = try DecodedFrame(
                frame, of: info, by: decoder, options: options, job: job, makeConverter: colors.converter)
            let attributes = Image.Attributes(
                format: info.format, originalSize: info.size, profile: colors.profile,
                orientation: options.context[.keepsOrientation] ? info.orientation : .up,
                isPartial: decoded.isPartial
                    || (info.lacksFrames && options.context[.frame] == nil && options.context[.frameCount] != 1),
                metadata: info.metadata)
            return (decoded, attributes)
        }
    }

    /// The frames of an animation, which are decoded as the first one was when they are asked for.
    private func frames(
        _ first: DecodedFrame, of info: ImageInfo, in bytes: ImageBytes, by coder: any ImageCoder,
        options: DecodeOptions
    ) throws(ImageError) -> DecodedFrames {
        var options = options
        options.context = options.context.forFrames
        // Those of now: all frames are to have the colours of the first.
        let converters = registry.colorConverters.elements
        return try DecodedFrames(first, of: info, in: bytes, by: coder, options: options, time: time) {
            [options, profile = info.profile] in
            // What is wrong with the profile has been said of the first frame.
            ColorStep(converters: converters, options: options, source: profile) { _ in }.converter
        }
    }

    /// Returns the decode options of a context, and whether colors can be converted.
    func decodeOptions(_ context: ResolvedContext) -> DecodeOptions {
        var options = DecodeOptions(context)
        options.convertsColors = !context[.keepsProfile] && !registry.colorConverters.elements.isEmpty
        return options
    }

    /// The picture as far as a decoder knows it, within the limits; of an animation a single frame, as a still. Throws
    /// `incomplete` where nothing can be shown yet. Blocks.
    /// - Parameter admission: Told how much memory that is going to take; nil where nobody counts.
    func preview(
        by decoder: any ProgressiveDecoder, options: DecodeOptions, job: Job, admission: AsyncGate.Admission? = nil
    ) throws -> Image {
        let info = try info(of: decoder, context: options.context)
        let frame = try frame(of: info, options.context)
        try admission?.take(DecodeCost(of: info, in: nil, by: decoder, options: options).byteCount)
        let (decoded, attributes) = try decode(frame, of: info, by: decoder, options: options, job: job) { _ in }
        return Image(pixels: decoded.pixels, attributes: attributes)
    }

    /// The frame that is asked for, the first where all are. Throws `noSuchFrame` when there is none.
    private func frame(of info: ImageInfo, _ context: ResolvedContext) throws(ImageError) -> Int {
        let frame = context[.frame] ?? 0
        guard frame >= 0, frame < info.frameCount else { throw .noSuchFrame(frame, of: info.frameCount) }
        return frame
    }

    /// Returns the properties of a file, by the first coder that knows it. Blocks.
    func info(of bytes: ImageBytes, context: ResolvedContext) throws -> ImageInfo {
        try firstCoder(for: bytes, options: DecodeOptions(context)) { decoder, _ in
            try info(of: decoder, context: context)
        }
    }

    private func info(of decoder: any ImageDecoder, context: ResolvedContext) throws -> ImageInfo {
        let info = try decoder.info
        try DecodeLimits(context).check(info)
        return info
    }
}

extension ImageBytes {
    /// The memory that the bytes take: none if they are read when they are asked for.
    var memoryByteCount: Int { isReadWhenAsked ? 0 : byteCount }
}

extension ImageError {
    /// A coder passed over the profile of a file.
    fileprivate static func damagedProfile(component: String) -> ImageError {
        ImageError(
            .badData, stage: .decode, component: component,
            message: "the embedded colour profile is damaged, sRGB is taken instead")
    }
}
