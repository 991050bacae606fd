extension Pipeline {
    /// What a loader brings, or what a cache has of it where that still holds.
    /// - Parameter copy: What a cache has, which is brought anew only if it no longer holds; nil for none.
    func load(_ resolution: Resolution, unlessHolds copy: Original?, interest: Interest) async throws -> Original {
        var request = LoadRequest(
            url: resolution.url, context: resolution.context, validators: copy?.head?.validators)
        request.interest = interest
        let loader = try self.loader(for: request)
        guard !loader.queuesLoads else {
            return try await load(
                request, by: loader, through: lanes.arriving, resolution, unlessHolds: copy, interest: interest)
        }
        return try await lanes.loading.run(for: interest) { [request] in
            try await self.load(
                request, by: loader, through: nil, resolution, unlessHolds: copy, interest: interest)
        }
    }

    /// - Parameter gate: That before the first byte; nil for a load that has come through one.
    private func load(
        _ request: LoadRequest, by loader: any ImageLoader, through gate: AsyncGate?, _ resolution: Resolution,
        unlessHolds copy: Original?, interest: Interest
    ) async throws -> Original {
        let start = time.now()
        let transfer = Transfer(pipeline: self, resolution: resolution, interest: interest, gate: gate)
        defer { transfer.end() }
        do {
            let outcome = try await loader.load(request, into: transfer)
            try Task.checkCancellation()
            return try loaded(
                outcome, from: loader, transfer, resolution, unlessHolds: copy, interest: interest, since: start)
        } catch is CancellationError where !Task.isCancelled {
            throw ImageError(
                .loadFailed, stage: .load, component: loader.name, message: "the loader gave up", advice: "try again")
        } catch {
            let error = ImageError.wrapping(
                error, as: .loadFailed, stage: .load, component: loader.name, message: "could not be loaded")
            resolution.listener?.received(
                PipelineEvent(
                    stage: .load, component: loader.name, subject: resolution.variant.description,
                    duration: time.now() - start, byteCount: transfer.bytes.byteCount, transfer: transfer.metrics,
                    outcome: .stopped(error)))
            throw error
        }
    }

    private func loaded(
        _ outcome: LoadOutcome, from loader: any ImageLoader, _ transfer: Transfer, _ resolution: Resolution,
        unlessHolds copy: Original?, interest: Interest, since start: Duration
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
                let step = note(
                    .load, of: resolution, component: loader.name, since: start, byteCount: 0,
                    transfer: transfer.metrics)
                return copy.revalidated(by: transfer.head, step: step)
            }
            throw ImageError(
                .loadFailed, stage: .load, message: "the loader says 'not modified' though nothing was asked",
                advice: "report it to the loader's author")
        }
        let step = note(
            .load, of: resolution, component: loader.name, since: start, byteCount: transfer.bytes.byteCount,
            transfer: transfer.metrics)
        return Original(
            content, source: .loader, head: transfer.head, steps: [step],
            isStorable: transfer.head?.isStorable ?? true,
            share: undecoded.share(content.memoryByteCount, for: interest.priority))
    }

    /// The loader that takes a request. Throws `noLoader` with the list of those who passed.
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
