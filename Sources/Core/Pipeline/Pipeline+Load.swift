extension Pipeline {
    /// The result of an attempt to load that was not final.
    private enum Attempt {
        case brought(Original)
        /// The attempt failed, and is repeated after this time.
        case again(after: Duration)
    }

    /// Loads an original, or returns the cached one if it is still valid.
    ///
    /// Tried again as the request's policy says; what it fails with in the end is remembered, where that is wanted.
    /// - Parameters:
    ///   - copy: What a cache has, which is brought anew only if it no longer holds; nil for none.
    ///   - validators: By what the source is asked for that; nil where it has to bring it anyway.
    func load(
        _ resolved: ResolvedRequest, unlessHolds copy: Original?, by validators: Validators?, waiter: any Waiter
    ) async throws -> Original {
        let copy = validators == nil ? nil : copy
        var request = LoadRequest(url: resolved.url, context: resolved.context, validators: validators)
        request.waiter = waiter
        request.redirectApproval = redirectApproval(of: request, resolved, waiter: waiter)
        try await checkAllowed(request, resolved, waiter: waiter)
        let loader = try loader(for: request, resolved)
        do {
            let original = try await load(request, by: loader, resolved, unlessHolds: copy, waiter: waiter)
            failures.forget(resolved.failedSource)
            return original
        } catch let error as ImageError {
            await remember(error, of: resolved, waiter: waiter)
            throw error
        }
    }

    private func load(
        _ request: LoadRequest, by loader: any ImageLoader, _ resolved: ResolvedRequest, unlessHolds copy: Original?,
        waiter: any Waiter
    ) async throws -> Original {
        var retry = 1
        while true {
            let queues = loader.queuesLoads
            let outcome = try await LoadTurn.run(
                of: resolved.transfer, at: queues ? nil : lanes.loading, among: loadWaits, for: waiter
            ) { [retry] in
                try await self.attempt(
                    retry, request, by: loader, through: queues ? lanes.arriving : nil, resolved, unlessHolds: copy,
                    waiter: waiter)
            }
            switch outcome {
            case .brought(let original): return original
            case .again(let delay):
                // Waiters, and requests that come meanwhile, begin anew too; what has come is of no use any more.
                waiter.report(WorkReport(progress: LoadProgress(byteCount: 0), bytes: ImageBytes()))
                try await wait(delay)
                retry += 1
            }
        }
    }

    /// Waits by the pipeline's clock. Throws `CancellationError` as soon as the task is cancelled.
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

    /// - Parameters:
    ///   - retry: The number of the try that would come after this one, from 1 on.
    ///   - gate: That before the first byte; nil for a load that has come through one.
    private func attempt(
        _ retry: Int, _ request: LoadRequest, by loader: any ImageLoader, through gate: AsyncGate?,
        _ resolved: ResolvedRequest, unlessHolds copy: Original?, waiter: any Waiter
    ) async throws -> Attempt {
        let step = begin(.load, of: resolved, for: waiter, component: loader.name)
        let transfer = Transfer(pipeline: self, resolved: resolved, waiter: waiter, gate: gate)
        defer { transfer.end() }
        do {
            let outcome = try await loader.load(request, into: transfer)
            try Task.checkCancellation()
            let original = try loaded(outcome, transfer, unlessHolds: copy, waiter: waiter, step: step) {
                loader.requestField($0, for: request)
            }
            return .brought(original)
        } catch {
            let error = failure(error, of: loader)
            let policy = resolved.context[.retryPolicy]
            let delay = Task.isCancelled ? nil : policy.delay(beforeRetry: retry, after: error)
            step.stop(error, byteCount: transfer.bytes.byteCount, transfer: transfer.metrics)
            guard let delay else { throw error }
            counters.retried()
            note(error, of: resolved, retriedAfter: delay)
            return .again(after: delay)
        }
    }

    /// Returns the error of a loader as an ``ImageError``.
    private func failure(_ error: any Error, of loader: any ImageLoader) -> ImageError {
        guard error is CancellationError, !Task.isCancelled else {
            let error = ImageError.wrapping(
                error, as: .loadFailed, stage: .load, component: loader.name, message: "could not be loaded")
            return Task.isCancelled ? error : error.asFailure
        }
        return ImageError(
            .loadFailed, stage: .load, component: loader.name, message: "the loader gave up", advice: "try again")
    }

    /// - Parameter requestField: The value of a field of the request.
    private func loaded(
        _ outcome: LoadOutcome, _ transfer: Transfer, unlessHolds copy: Original?, waiter: any Waiter,
        step: StepSpan,
        requestField: (_ name: String) -> String?
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
                .loadFailed, stage: .load, message: "the loader says 'not modified' though nothing was asked",
                advice: "report it to the loader's author")
        }
        let done = step.end(byteCount: transfer.bytes.byteCount, transfer: transfer.metrics)
        var head = transfer.head
        // By what the loader itself says, as look-ups ask it: one that it forwards to may have been told more.
        if let vary = head?.caching?.vary { head?.caching?.vary = vary.chosen(by: requestField) }
        return Original(
            content, source: .loader, head: head, steps: [done], isStorable: head?.isStorable ?? true,
            reservation: undecoded.reserve(content.memoryByteCount, for: waiter.priority))
    }

    /// The version of what a request would load now, as its loader tells it.
    /// - Parameter mayWait: Whether the loader may wait for the answer.
    func version(of request: LoadRequest, mayWait: Bool) -> SourceVersion {
        let loader = request.context[.imageLoader] ?? registry.loaders.elements.first { $0.canLoad(request) }
        return loader?.version(of: request, mayWait: mayWait) ?? .unversioned
    }

    /// Returns the distinction of the registered loader that takes a URL; empty for requests with a loader of their
    /// own, whose identity tells it.
    func distinction(of url: URL, _ context: ResolvedContext) -> String {
        guard context[.imageLoader] == nil else { return "" }
        let request = LoadRequest(url: url, context: context)
        return registry.loaders.elements.first { $0.canLoad(request) }?.distinctions ?? ""
    }

    /// The loader that takes a request, of the user for whom the request was resolved.
    ///
    /// A program may replace a registered loader while a request waits, for example when its user signs out. What the
    /// new one brings is another user's, and is not stored as this one's.
    private func loader(for request: LoadRequest, _ resolved: ResolvedRequest) throws(ImageError) -> any ImageLoader {
        let loader = try loader(for: request)
        guard request.context[.imageLoader] == nil, !loader.distinctions.isSame(as: resolved.distinction) else {
            return loader
        }
        throw ImageError(
            .loadFailed, stage: .load, component: loader.name,
            message: "a loader with another distinction was registered while the request waited",
            advice: "make the request again")
    }

    /// The loader that takes a request. Throws `noLoader` with the list of those that passed.
    func loader(for request: LoadRequest) throws(ImageError) -> any ImageLoader {
        if let loader = request.context[.imageLoader] { return loader }
        var refusals = RefusalList()
        for loader in registry.loaders.elements {
            if loader.canLoad(request) { return loader }
            refusals.add(loader.name, "does not take it")
        }
        let scheme = request.url.scheme.map { "the scheme '\($0)'" } ?? "a URL without a scheme"
        throw ImageError(
            .noLoader, stage: .load, message: "no loader takes \(scheme); \(refusals.summary)",
            advice: "install a plugin that loads it")
    }
}
