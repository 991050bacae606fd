extension Pipeline {
    /// Returns the image of a request, made from its original. Begins to store the original as soon as it is decoded,
    /// so that it is stored even if a transformer fails later.
    func made(_ work: RequestWork, of decode: DecodeKey) async throws -> PipelineOutput {
        try work.request.transformers.checkParameters()
        return try await transformed(
            work, steps: work.request.steps, of: decode, onReport: storingOriginal(of: work))
    }

    /// Returns the image of an original that was loaded, without transforming it. Begins to store the original.
    func decoded(_ original: Original, of decode: DecodeKey, _ work: RequestWork) async throws -> PipelineOutput {
        try await decodes.value(for: decode, work, onReport: storingOriginal(of: work)) { work in
            try await self.decoded(original, work)
        }
    }

    /// Returns a handler of reports that begins to store the original as soon as it is decoded.
    private func storingOriginal(of work: RequestWork) -> ReportReceiver {
        { report in
            if let decoded = report.decoded { self.storeOriginal(of: decoded, work) }
            work.waiter.report(report)
        }
    }

    /// Returns the decoded image after the transformers `steps`. Requests share the results of equal first steps.
    private func transformed(
        _ work: RequestWork, steps: ArraySlice<any Transformer>, of decode: DecodeKey,
        onReport: @escaping ReportReceiver
    ) async throws -> PipelineOutput {
        guard let last = steps.last else {
            return try await decoded(decode, work, onReport: onReport)
        }
        let key = TransformKey(
            decode: decode, steps: Array(work.request.stepKeys.prefix(steps.count)),
            leavesAnimations: work.request.leavesAnimations)
        return try await transforms.value(
            for: key, work, startsHere: false, onReport: onReport,
            onJoin: joining(.transform, work)
        ) { work in
            let request = work.request
            // Previews are transformed as well. A preview that cannot be transformed is not shown.
            let previews = LatestWork()
            defer { previews.end() }
            var output = try await self.transformed(
                work, steps: steps.dropLast(), of: decode
            ) { report in
                work.waiter.report(WorkReport(progress: report.progress, decoded: report.decoded))
                guard let preview = report.preview else { return }
                previews.take {
                    let made = try? await self.lanes.transforming.run(for: work.demand, job: Job()) { job in
                        try last.applyAsStep(to: preview, job: job, values: request.context)
                    }
                    if let made { work.waiter.report(WorkReport(preview: made)) }
                }
            }
            previews.end()
            let source = output.image
            let (image, reservation, step) = try await self.lanes.transforming.run(for: work.demand, job: Job()) {
                job -> (Image, Backlog.Reservation, ImageMetrics.Step) in
                let span = self.begin(.transform, of: work, component: last.shownKey)
                do {
                    var made = try last.applyAsStep(to: source, job: job, values: request.context) {
                        self.noteIssue($0, of: request)
                    }
                    if steps.count == request.steps.count {
                        let decoding = job.decoding(request.context, time: self.time)
                        made = try made.preloaded(as: request.context, job: decoding)
                    }
                    made = made.made(of: source.attributes.version, chosenBy: source.attributes.vary)
                    return (made, self.reservation(of: made, request), span.end(byteCount: made.byteCount))
                } catch {
                    span.fail(error)
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
