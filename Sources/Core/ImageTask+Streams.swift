extension ImageTask {
    /// The progress of the load, from the latest on.
    ///
    /// ```swift
    /// for await progress in task.progress { bar.fraction = progress.fraction }
    /// ```
    ///
    /// Ends with the task, whatever its result, and when the task that listens is cancelled. A slow listener receives
    /// the latest value only.
    public var progress: some AsyncSequence<LoadProgress, Never> & Sendable {
        EventStream(task: self) { event in
            if case .progress(let progress) = event { progress } else { nil }
        }
    }

    /// The images to show until the requested one is there, from the latest on: placeholders, the picture as far as it
    /// has arrived, and what a cache had.
    ///
    /// Ends with the task, whatever its result, and when the task that listens is cancelled. A slow listener receives
    /// the latest image only. Iterate over the task itself to learn the kind of each.
    public var previews: some AsyncSequence<Image, Never> & Sendable {
        EventStream(task: self) { event in
            switch event {
            case .preview(let image, _): image
            case .cached(let response): response.image
            case .progress, .finished: nil
            }
        }
    }

    /// The image, as soon as it is there.
    ///
    /// Cancelling the Swift task that awaits it ends the wait only. See ``response``.
    public var image: Image {
        get async throws(ImageError) { try await response.image }
    }
}

/// The part of a task's events that a function selects.
private struct EventStream<Element: Sendable>: AsyncSequence, Sendable {
    typealias Failure = Never

    let task: ImageTask
    let select: @Sendable (ImageEvent) -> Element?

    func makeAsyncIterator() -> Iterator { Iterator(events: task.makeAsyncIterator(), select: select) }

    struct Iterator: AsyncIteratorProtocol {
        var events: ImageTask.Iterator
        let select: @Sendable (ImageEvent) -> Element?

        mutating func next() async -> Element? {
            // The error is that of the task, which `response` throws.
            while let event = try? await events.next() {
                if let element = select(event) { return element }
            }
            return nil
        }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> Element? { await next() }
    }
}
