// The images that are shown until the requested one is available.
extension RequestRunner {
    /// The work for a placeholder that is not available at once.
    private enum PlaceholderWork: Sendable {
        case load(ImageTask)
        case drawing(@Sendable () throws -> Image)
    }

    /// Begins to show the placeholders of a request. Returns nil if there are none to show.
    func beginPlaceholders(for request: ResolvedRequest) -> Task<Void, Never>? {
        guard let loadPlaceholder, !request.context[.placeholders].isEmpty else { return nil }
        return Task { await showPlaceholders(for: request, load: loadPlaceholder) }
    }

    /// Shows the placeholders of a request, unless memory has the image itself. A placeholder never replaces a better
    /// one. The caller must cancel the surrounding task once the image is available.
    /// - Parameter load: Begins a load that shows no placeholders itself.
    private func showPlaceholders(
        for request: ResolvedRequest, load: @Sendable (ImageRequest) -> ImageTask
    ) async {
        guard !pipeline.isInMemory(request), !Task.isCancelled else { return }
        let chain = request.context[.placeholders]
        var works: [(index: Int, work: PlaceholderWork)] = []
        var shownIndex = -1
        // From the best placeholder down to the first that is available at once: worse ones are not needed.
        for (index, placeholder) in chain.enumerated().reversed() {
            var found: Image?
            switch placeholder.content {
            case .cachedSize: found = pipeline.otherSize(request)
            case .image(let image): found = image
            case .url(let url): works.append((index, .load(load(task.request.placeholder(at: url)))))
            case .blurHash(let text, let shape):
                works.append((index, .drawing { try BlurHash(text).placeholder(shape: shape) }))
            case .thumbHash(let data): works.append((index, .drawing { try ThumbHash(data).image() }))
            case .thumbHashText(let text): works.append((index, .drawing { try ThumbHash(text).image() }))
            }
            if let found {
                task.show(found, as: .placeholder(placeholder.kind))
                shownIndex = index
                break
            }
        }
        await withTaskGroup(of: (index: Int, image: Image?).self) { group in
            for (index, work) in works {
                group.addTask { (index, await image(by: work, request)) }
            }
            for await (index, image) in group {
                guard let image, index > shownIndex, !Task.isCancelled else { continue }
                task.show(image, as: .placeholder(chain[index].kind))
                shownIndex = index
                for case (let other, .load(let task)) in works where other < index { task.cancel() }
            }
        }
    }

    /// Returns the placeholder that `work` makes; nil if that fails or is cancelled. Reports a failure as an event.
    private func image(by work: PlaceholderWork, _ request: ResolvedRequest) async -> Image? {
        do {
            switch work {
            case .load(let task): return try await image(of: task)
            case .drawing(let draw):
                return try await pipeline.lanes.inspecting.run(for: task.waiter.demand, job: Job()) { _ in try draw() }
            }
        } catch {
            let failure = ImageError.wrapping(
                error, as: .loadFailed, stage: .load, message: "the placeholder could not be created")
            if failure.code != .cancelled { pipeline.noteIssue(failure, of: request) }
            return nil
        }
    }

    /// Returns the image of a task that only this request waits for. The task has the priority of this request.
    private func image(of placeholder: ImageTask) async throws -> Image {
        let demand = task.waiter.demand
        let observation = demand.observePriority { placeholder.priority = $0 }
        defer { demand.endObserving(observation) }
        return try await withTaskCancellationHandler {
            try await placeholder.response.image
        } onCancel: {
            placeholder.cancel()
        }
    }
}

extension ImageRequest {
    /// Returns the request for a placeholder at another URL, without the settings that do not suit a placeholder.
    fileprivate func placeholder(at url: URL) -> ImageRequest {
        ImageRequest(
            url,
            context: context.merging([
                .off(.placeholders), .off(.alternatives), .off(.progressiveLoad), .off(.refreshCached),
                .off(.waitStoreCache),
            ]))
    }
}
