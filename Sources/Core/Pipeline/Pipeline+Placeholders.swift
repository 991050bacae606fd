/// The part of a placeholder that takes time.
private enum PlaceholderWork: Sendable {
    case load(ImageTask)
    case drawing(@Sendable () throws -> Image)
}

extension Pipeline {
    /// Shows the request's placeholders, each as soon as it is there and as long as nothing better was shown; returns when
    /// none is left, or the task is cancelled, as it should be when the image is there.
    ///
    /// Shows nothing where memory has the image itself.
    /// - Parameters:
    ///   - waiter: Whose urgency the placeholders have.
    ///   - load: Begins a load that shows no placeholders itself, whatever the manager's context says of its URL.
    ///   - show: Called by one at a time, the better one later.
    func showPlaceholders(
        for request: ImageRequest, _ resolved: ResolvedRequest, waiter: any Waiter,
        load: @Sendable (ImageRequest) -> ImageTask, show: @Sendable (Image, PreviewKind) -> Void
    ) async {
        guard !isInMemory(resolved), !Task.isCancelled else { return }
        let chain = resolved.context[.placeholders]
        var works: [(index: Int, work: PlaceholderWork)] = []
        var shownIndex = -1
        // From the best on, as far as the first that is there at once: what is worse than that is not wanted.
        for (index, placeholder) in chain.enumerated().reversed() {
            var found: Image?
            switch placeholder.content {
            case .cachedSize: found = otherSize(resolved)
            case .image(let image): found = image
            case .url(let url): works.append((index, .load(load(request.replaced(by: url)))))
            case .blurHash(let text, let shape):
                works.append((index, .drawing { try BlurHash(text).placeholder(shape: shape) }))
            case .thumbHash(let data): works.append((index, .drawing { try ThumbHash(data).image() }))
            case .thumbHashText(let text): works.append((index, .drawing { try ThumbHash(text).image() }))
            }
            if let found {
                show(found, .placeholder(placeholder.kind))
                shownIndex = index
                break
            }
        }
        await withTaskGroup(of: (index: Int, image: Image?).self) { group in
            for (index, work) in works {
                group.addTask { (index, await self.placeholder(by: work, resolved, waiter: waiter)) }
            }
            for await (index, image) in group {
                guard let image, index > shownIndex, !Task.isCancelled else { continue }
                show(image, .placeholder(chain[index].kind))
                shownIndex = index
                for case (let other, .load(let task)) in works where other < index { task.cancel() }
            }
        }
    }

    /// Whether memory would answer by now: a look that is no miss in its statistics.
    private func isInMemory(_ resolved: ResolvedRequest) -> Bool {
        guard resolved.queriesMemory, let cache = resolved.cache else { return false }
        return (try? cache.contains(resolved.variant, in: .memory)) == .memory
    }

    /// A placeholder that takes time; nil if it fails, which is reported by an event.
    private func placeholder(by work: PlaceholderWork, _ resolved: ResolvedRequest, waiter: any Waiter) async -> Image?
    {
        do {
            switch work {
            case .load(let task): return try await image(of: task, waiter: waiter)
            case .drawing(let draw):
                return try await lanes.inspecting.run(for: waiter, job: Job()) { _ in try draw() }
            }
        } catch {
            let failure = ImageError.wrapping(
                error, as: .loadFailed, stage: .load, message: "the placeholder failed")
            if failure.code != .cancelled { note(failure, of: resolved) }
            return nil
        }
    }

    /// The image of a task that is wanted by this one alone, as urgently as `waiter` says.
    private func image(of task: ImageTask, waiter: any Waiter) async throws -> Image {
        let observation = waiter.observePriority { task.priority = $0 }
        defer { waiter.endObserving(observation) }
        return try await withTaskCancellationHandler {
            try await task.response.image
        } onCancel: {
            task.cancel()
        }
    }
}

extension ImageRequest {
    /// The request for the picture of another URL, to be shown until this one's is there: without what is said of this
    /// one alone, or keeps a picture from being shown early.
    fileprivate func replaced(by url: URL) -> ImageRequest {
        ImageRequest(
            url,
            context: context.merging([
                .off(.placeholders), .off(.alternatives), .off(.progressiveLoad), .off(.refreshCached),
                .off(.waitStoreCache),
            ]))
    }
}
