extension ImageTask {
    /// The progress of the load, beginning with the latest.
    ///
    /// ```swift
    /// for await progress in task.progress { bar.fraction = progress.fraction }
    /// ```
    ///
    /// The sequence ends with the task, whatever its result, and when the listening task is cancelled. A slow listener
    /// receives only the latest value.
    public var progress: some AsyncSequence<LoadProgress, Never> & Sendable {
        EventStream(task: self) { event in
            if case .progress(let progress) = event { progress } else { nil }
        }
    }

    /// The images to show until the requested one is available, beginning with the latest: placeholders, previews of
    /// arriving bytes, and the cached image.
    ///
    /// The sequence ends with the task, whatever its result, and when the listening task is cancelled. A slow listener
    /// receives only the latest image. Iterate over the task itself to learn the kind of each image.
    public var previews: some AsyncSequence<Image, Never> & Sendable {
        EventStream(task: self) { event in
            switch event {
            case .preview(let image, _): image
            case .cached(let response): response.image
            case .progress, .finished: nil
            }
        }
    }

    /// The image, as soon as it is available.
    ///
    /// Cancelling the Swift task that awaits the image ends only that wait, not the image task. See ``response``.
    public var image: Image {
        get async throws(ImageError) { try await response.image }
    }
}

/// A sequence of the elements that a function selects from a task's events.
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
