/// The identity of a transformation: the image, and the steps so far.
struct TransformKey: Hashable, Sendable {
    let decode: DecodeKey
    let steps: [String]

    /// Compares bytes, as the cache keys of the results do.
    static func == (one: TransformKey, other: TransformKey) -> Bool {
        one.decode == other.decode && one.steps.elementsEqual(other.steps) { $0.isSame(as: $1) }
    }
}

extension Pipeline {
    /// The image after `steps`: chains that begin alike share their beginning.
    func transformed(
        _ resolved: ResolvedRequest, steps: ArraySlice<any Transformer>, of decode: DecodeKey, waiter: any Waiter,
        onReport: (@Sendable (WorkReport) -> Void)? = nil
    ) async throws -> PipelineOutput {
        guard let last = steps.last else {
            return try await decoded(decode, resolved, waiter: waiter, onReport: onReport)
        }
        let key = TransformKey(decode: decode, steps: steps.map(\.key))
        return try await transforms.value(
            for: key, waiter: waiter, startsHere: false, onReport: onReport,
            onJoin: joining(.transform, resolved, waiter)
        ) { waiter in
            // Previews go the way of the picture. One that cannot be transformed is not shown.
            let previews = LatestWork()
            defer { previews.end() }
            var output = try await self.transformed(
                resolved, steps: steps.dropLast(), of: decode, waiter: waiter
            ) { report in
                if let progress = report.progress { waiter.report(WorkReport(progress: progress)) }
                guard let preview = report.preview else { return }
                previews.take {
                    let made = try? await self.lanes.transforming.run(for: waiter, job: Job()) { job in
                        try last.apply(to: preview, job: job, values: resolved.context)
                    }
                    if let made { waiter.report(WorkReport(preview: made)) }
                }
            }
            previews.end()
            let source = output.image
            let (image, reservation, step) = try await self.lanes.transforming.run(for: waiter, job: Job()) {
                job -> (Image, Backlog.Reservation, ImageMetrics.Step) in
                let span = self.begin(.transform, of: resolved, for: waiter, component: last.key)
                do {
                    var made = try last.apply(to: source, job: job, values: resolved.context) {
                        self.note($0, of: resolved)
                    }
                    if steps.count == resolved.transformers.count {
                        let decoding = job.decoding(resolved.context, time: self.time)
                        made = try made.preloaded(as: resolved.context, job: decoding)
                    }
                    made = made.made(of: source.attributes.version, chosenBy: source.attributes.vary)
                    return (made, self.reservation(of: made, resolved), span.end(byteCount: made.byteCount))
                } catch {
                    span.stop(error)
                    throw error
                }
            }
            output.image = image
            output.transformedReservation = reservation
            output.steps.append(step)
            output.stores = SharedStores()
            return output
        }
    }
}

extension Transformer {
    /// The transformed image, within the limits of the values in force; any error as one of ours.
    ///
    /// Of an animation the first frame is transformed now, and each of the others when it is asked for.
    /// - Parameter onIssue: Told of what is wrong but does not keep the image from being used.
    func apply(
        to image: Image, job: Job, values: ResolvedContext, onIssue: (ImageError) -> Void = { _ in }
    ) throws(ImageError) -> Image {
        guard let frames = image.frames else {
            return try transformed(image, job: job, values: values, onIssue: onIssue)
        }
        let still = image.replacing(pixels: image.pixels)
        let made = try transformed(still, job: job, values: values, onIssue: onIssue)
        let others = MappedFrames(frames, from: image.pixels, to: made.pixels, areClaimsChecked: true) {
            [values = values.forFrames] pixels, job in
            // What is wrong with them all has been said of the first one.
            try self.transformed(still.replacing(pixels: pixels), job: job, values: values) { _ in }.pixels
        }
        return made.replacing(pixels: made.pixels, frames: others)
    }

    private func transformed(
        _ still: Image, job: Job, values: ResolvedContext, onIssue: (ImageError) -> Void
    ) throws(ImageError) -> Image {
        do {
            let context = TransformContext(job: job, values: values)
            let made = try transform(still, context: context)
            try context.check(made.size)
            // What was said before the transformer had the image is none of its doing.
            let component = still.pixels.hasUncheckedClaims ? nil : key
            return try made.checkingClaims(stage: .transform, component: component, job: job, onIssue: onIssue)
        } catch {
            throw .wrapping(error, as: .transformFailed, stage: .transform, component: key, message: "failed")
        }
    }
}
