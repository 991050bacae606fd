import CalotypeStandard

/// Gets the image of a source, whichever kind of source that is.
struct Fetcher: Sendable {
    let manager: ImageManager
    /// How the pictures are wanted.
    let context: ImageContext

    /// The image of a source. Standard input is decoded without caches: what is piped has no name to be kept under.
    /// - Parameter report: Told how far the load has come.
    func image(
        of source: Source, report: @MainActor (LoadProgress) -> Void = { _ in }
    ) async throws -> Fetched {
        guard let request = source.request else { return try await standardInput() }
        let task = manager.load(request.with(context))
        for try await event in task {
            if case .progress(let progress) = event { await report(progress) }
        }
        return Fetched(try await task.response)
    }

    private func standardInput() async throws -> Fetched {
        let limit = ResolvedContext(manager.context.merging(context))[.maxInputBytes]
        let start = ContinuousClock.now
        let data = try await Lane.files.run { try StandardInput.data(limit: limit) }
        let middle = ContinuousClock.now
        let image = try await manager.decode(data, context: context)
        var fetched = Fetched(
            standardInput: image, stages: [(name: "load", milliseconds: start.duration(to: middle).milliseconds)])
        fetched.note("decode", since: middle)
        return fetched
    }
}

extension Lane {
    /// For the tool's own files: what blocks does not hold up the threads that tasks run on.
    static let files = Lane(name: "calotype-files", width: 4)
}
