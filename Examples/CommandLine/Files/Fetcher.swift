import CalotypeStandard

/// Loads the image of a source, which may be a path, a URL or standard input.
struct Fetcher: Sendable {
    let manager: ImageManager
    /// The context that is added to each request.
    let context: ImageContext

    /// Returns the image of a source. Standard input is decoded without caches, because piped bytes have no cache key.
    /// - Parameters:
    ///   - source: The source.
    ///   - report: A closure that receives the progress of the load. Not called for standard input.
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
    /// The lane for the tool's own file operations. It runs blocking calls on its own threads, so that they do not
    /// block the threads of tasks.
    static let files = Lane(name: "calotype-files", width: 4)
}
