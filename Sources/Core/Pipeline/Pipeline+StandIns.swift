/// The part of a placeholder that takes time.
private enum StandInWork: Sendable {
    case load(ImageTask)
    case drawing(@Sendable () throws -> Image)
}

extension Pipeline {
    /// Shows the request's stand-ins, each as soon as it is there and as long as nothing better was shown; returns when
    /// none is left, or the task is cancelled, as it should be when the image is there.
    ///
    /// Shows nothing where memory has the image itself.
    /// - Parameters:
    ///   - interest: Whose urgency the stand-ins have.
    ///   - load: Begins a load that shows no stand-ins itself, whatever the manager's context says of its URL.
    ///   - show: Called by one at a time, the better one later.
    func showStandIns(
        for request: ImageRequest, _ resolution: Resolution, interest: any Interest,
        load: @Sendable (ImageRequest) -> ImageTask, show: @Sendable (Image, PreviewKind) -> Void
    ) async {
        guard !isInMemory(resolution), !Task.isCancelled else { return }
        let chain = resolution.context[.standIns]
        var works: [(index: Int, work: StandInWork)] = []
        var shownIndex = -1
        // From the best on, as far as the first that is there at once: what is worse than that is not wanted.
        for (index, standIn) in chain.enumerated().reversed() {
            var found: Image?
            switch standIn.content {
            case .cachedSize: found = otherSize(resolution)
            case .image(let image): found = image
            case .url(let url): works.append((index, .load(load(request.standingIn(by: url)))))
            case .blurHash(let text, let shape):
                works.append((index, .drawing { try BlurHash(text).standIn(shape: shape) }))
            case .thumbHash(let data): works.append((index, .drawing { try ThumbHash(data).image() }))
            case .thumbHashText(let text): works.append((index, .drawing { try ThumbHash(text).image() }))
            }
            if let found {
                show(found, .standIn(standIn.kind))
                shownIndex = index
                break
            }
        }
        await withTaskGroup(of: (index: Int, image: Image?).self) { group in
            for (index, work) in works {
                group.addTask { (index, await self.standIn(by: work, resolution, interest: interest)) }
            }
            for await (index, image) in group {
                guard let image, index > shownIndex, !Task.isCancelled else { continue }
                show(image, .standIn(chain[index].kind))
                shownIndex = index
                for case (let other, .load(let task)) in works where other < index { task.cancel() }
            }
        }
    }

    /// Whether memory would answer by now: a look that is no miss in its statistics.
    private func isInMemory(_ resolution: Resolution) -> Bool {
        guard resolution.queriesMemory, let cache = resolution.cache else { return false }
        return (try? cache.contains(resolution.variant, in: .memory)) == .memory
    }

    /// A placeholder that takes time; nil if it fails, which is reported by an event.
    private func standIn(by work: StandInWork, _ resolution: Resolution, interest: any Interest) async -> Image? {
        do {
            switch work {
            case .load(let task): return try await image(of: task, interest: interest)
            case .drawing(let draw):
                return try await lanes.inspecting.run(for: interest, job: Job()) { _ in try draw() }
            }
        } catch {
            let failure = ImageError.wrapping(
                error, as: .loadFailed, stage: .load, message: "the stand-in failed")
            if failure.code != .cancelled { note(failure, of: resolution) }
            return nil
        }
    }

    /// The image of a task that is wanted by this one alone, as urgently as `interest` says.
    private func image(of task: ImageTask, interest: any Interest) async throws -> Image {
        let observation = interest.observePriority { task.priority = $0 }
        defer { interest.endObserving(observation) }
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
    fileprivate func standingIn(by url: URL) -> ImageRequest {
        ImageRequest(
            url,
            context: context.merging([
                .off(.standIns), .off(.alternatives), .off(.progressiveLoad), .off(.refreshCached),
                .off(.waitStoreCache),
            ]))
    }
}
