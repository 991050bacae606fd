/// Asking the source of an image whether it still holds.
extension Pipeline {
    /// The result of asking an image's source.
    enum Refreshed {
        /// The image is still the same, as these steps have shown.
        case confirmed([ImageMetrics.Step])
        /// The image has been replaced.
        case replaced(PipelineOutput)
    }

    /// Asks the source of an image whether it still holds, and loads it again if it does not.
    /// - Parameter cached: The image that a cache has; nil if it is not going to be shown.
    func refreshed(_ cached: Image?, _ work: RequestWork) async throws -> Refreshed {
        let request = work.request
        // What is brought is used by the decoding below, too: it is not brought twice.
        let isKept = originalsInUse.begin(request.transfer)
        defer { if isKept { originalsInUse.end(request.transfer) } }
        let key = OriginalKey(request, access: .refresh, after: changes)
        let original = try await original(key, work)
        original.release()
        // What is confirmed is the original that a cache has. The image may be of one before that.
        if original.source == .revalidated {
            guard let cached else { return .confirmed(original.steps) }
            let version = await version(of: original, for: work.demand)
            if cached.attributes.version == version { return .confirmed(original.steps) }
        }
        return .replaced(
            try await transformed(
                work, steps: request.transformers[...],
                of: DecodeKey(request, access: .refresh, after: changes)))
    }

    /// Begins to refresh the image of a request in the background, with low priority.
    ///
    /// Many requests may show the same image while its source takes its time. It is refreshed once for all of them.
    func beginRefreshing(_ request: ResolvedRequest) {
        let key = DecodeKey(request, access: .refresh, after: changes)
        guard failure(of: request) == nil, refreshing.withLock({ $0.insert(key).inserted }) else { return }
        Task.detached { [self] in
            defer { refreshing.withLock { _ = $0.remove(key) } }
            let work = RequestWork(request, for: SilentWaiter(priority: .low), after: changes)
            guard case .replaced(let output)? = try? await refreshed(nil, work) else { return }
            _ = try? await store(output, work)
        }
    }
}
