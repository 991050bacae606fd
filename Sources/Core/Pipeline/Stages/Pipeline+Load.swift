extension Pipeline {
    /// The result of an attempt to load.
    private enum Attempt {
        /// The attempt succeeded.
        case brought(Original)
        /// The attempt failed, and another one follows after this time.
        case again(after: Duration)
    }

    /// Loads an original with the retries of the request's policy, or returns the cached one if it is still valid.
    /// Remembers the final error if the request asks for that.
    /// - Parameters:
    ///   - copy: The cached original; nil for none.
    ///   - validators: The validators sent to the source; nil if the source has to send the original in any case.
    func load(
        _ work: RequestWork, unlessHolds copy: Original?, by validators: Validators?
    ) async throws -> Original {
        let copy = validators == nil ? nil : copy
        let request = work.request
        // A loader that retains its request or its sink must not retain what waits for the load.
        let work = work.awaited(by: WeakWaiter(for: work.waiter))
        var loadRequest = LoadRequest(url: request.url, context: request.context, validators: validators)
        loadRequest.demand = work.demand
        loadRequest.redirectApproval = redirectApproval(of: loadRequest, work)
        try await checkAllowed(loadRequest, work)
        let loader = try loader(for: loadRequest, request)
        do {
            let original = try await load(loadRequest, by: loader, work, unlessHolds: copy)
            failures.forget(request.failedSource)
            return original
        } catch let error as ImageError {
            await remember(error, of: work)
            throw error
        }
    }

    private func load(
        _ loadRequest: LoadRequest, by loader: any ImageLoader, _ work: RequestWork, unlessHolds copy: Original?
    ) async throws -> Original {
        var retry = 1
        while true {
            let queues = loader.queuesLoads
            let outcome = try await LoadTurn.run(
                of: work.request.transfer, at: queues ? nil : lanes.loading, among: loadWaits, for: work.demand
            ) { [retry] in
                try await self.attempt(
                    retry, loadRequest, by: loader, through: queues ? lanes.arriving : nil, work, unlessHolds: copy)
            }
            switch outcome {
            case .brought(let original): return original
            case .again(let delay):
                // Waiters, and requests that join meanwhile, start over too: the bytes received so far are useless.
                work.waiter.report(WorkReport(progress: LoadProgress(byteCount: 0), bytes: ImageBytes()))
                try await wait(delay)
                retry += 1
            }
        }
    }

    /// Waits for a time, measured by the pipeline's clock. Throws `CancellationError` as soon as the task is cancelled.
    private func wait(_ delay: Duration) async throws {
        if delay > .zero {
            let end = OneShot<Void>()
            time.after(delay) { end.resolve(.success(())) }
            try await withTaskCancellationHandler {
                try await end.value()
            } onCancel: {
                end.resolve(.failure(CancellationError()))
            }
        }
        try Task.checkCancellation()
    }

    /// Makes one attempt to load an original.
    /// - Parameters:
    ///   - retry: The number of the retry that would follow this attempt, from 1 on.
    ///   - gate: The gate to enter before the first byte is received; nil if the load has already passed a gate.
    private func attempt(
        _ retry: Int, _ loadRequest: LoadRequest, by loader: any ImageLoader, through gate: AsyncGate?,
        _ work: RequestWork, unlessHolds copy: Original?
    ) async throws -> Attempt {
        let step = begin(.load, of: work, component: loader.name)
        let transfer = Transfer(pipeline: self, work, gate: gate)
        defer { transfer.end() }
        do {
            let outcome = try await loader.load(loadRequest, into: transfer)
            try Task.checkCancellation()
            let original = try loaded(outcome, transfer, unlessHolds: copy, work, step: step) {
                loader.requestField($0, for: loadRequest)
            }
            return .brought(original)
        } catch {
            let error = failure(error, of: loader)
            let policy = work.request.context[.retryPolicy]
            let delay = Task.isCancelled ? nil : policy.delay(beforeRetry: retry, after: error)
            step.fail(error, byteCount: transfer.bytes.byteCount, transfer: transfer.metrics)
            guard let delay else { throw error }
            counters.retried()
            noteIssue(error, of: work.request, retriedAfter: delay)
            return .again(after: delay)
        }
    }

    /// Returns the error of a loader as an ``ImageError``.
    private func failure(_ error: any Error, of loader: any ImageLoader) -> ImageError {
        guard error is CancellationError, !Task.isCancelled else {
            let error = ImageError.wrapping(
                error, as: .loadFailed, stage: .load, component: loader.name, message: "could not be loaded",
                advice: "check the URL, or report the error to the loader's author")
            return error.asFailureUnlessCancelled
        }
        return ImageError(
            .loadFailed, stage: .load, component: loader.name,
            message: "the loader cancelled the load, but the request was not cancelled", advice: "try again")
    }

    /// Returns the original that a load has brought, and ends the load's step.
    /// - Parameter requestField: Returns the value of the request's field with a given name.
    private func loaded(
        _ outcome: LoadOutcome, _ transfer: Transfer, unlessHolds copy: Original?, _ work: RequestWork,
        step: StepSpan, requestField: (_ name: String) -> String?
    ) throws -> Original {
        let content: Original.Content
        switch outcome {
        case .complete:
            transfer.close()
            guard transfer.bytes.byteCount > 0 else {
                throw ImageError(.badData, stage: .load, message: "is empty", advice: "check the source")
            }
            content = .bytes(transfer.bytes)
        case .image(let image):
            content = .image(image)
        case .notModified:
            if let copy {
                let done = step.end(byteCount: 0, transfer: transfer.metrics)
                return copy.revalidated(by: transfer.head, requestField: requestField, steps: [done])
            }
            throw ImageError(
                .loadFailed, stage: .load,
                message: "the loader returned `notModified` for a request without validators",
                advice: "report it to the loader's author")
        }
        let done = step.end(byteCount: transfer.bytes.byteCount, transfer: transfer.metrics)
        var head = transfer.head
        // The values are those of the registered loader, as in lookups. A loader that it forwards to may know more
        // fields.
        if let vary = head?.caching?.vary { head?.caching?.vary = vary.chosen(by: requestField) }
        return Original(
            content, source: .loader, head: head, steps: [done], isStorable: head?.isStorable ?? true,
            reservation: undecoded.reserve(content.memoryByteCount, for: work.demand.priority))
    }
}
