/// The methods that ask the delegate of a request for decisions.
extension Pipeline {
    /// Throws `notCached` if the delegate does not allow a load.
    func checkAllowed(_ request: LoadRequest, _ work: RequestWork) async throws {
        let verdict = try await asking(work, on: lanes.resolving) { $0.shouldLoad(request) }
        guard verdict == false else { return }
        throw ImageError(
            .notCached, stage: .load, component: work.request.context[.delegate].map { typeName(of: $0) },
            message: "the delegate does not allow the load",
            advice: "allow the URL in `shouldLoad` of the context value `delegate`")
    }

    /// Returns a function that asks the delegate whether a redirect may be followed; nil if there is no delegate.
    func redirectApproval(
        of request: LoadRequest, _ work: RequestWork
    ) -> (@Sendable (_ url: URL) async throws -> Bool)? {
        guard work.request.context[.delegate] != nil else { return nil }
        // A loader that retains its requests must not retain the manager that it is registered with.
        return { [weak self] url in
            guard let self else { throw CancellationError() }
            let verdict = try await asking(work, on: lanes.redirecting) {
                $0.shouldFollowRedirect(of: request, to: url)
            }
            return verdict ?? true
        }
    }

    /// Asks the delegate of a request on a thread of `lane`. Returns nil if there is no delegate or no answer. Throws
    /// `CancellationError` if the surrounding task is cancelled.
    func asking(
        _ work: RequestWork, on lane: Lane,
        _ body: @escaping @Sendable (any ImageManagerDelegate) -> Bool?
    ) async throws -> Bool? {
        guard let delegate = work.request.context[.delegate] else { return nil }
        return try await lane.run(for: work.demand, job: Job()) { _ in body(delegate) }
    }
}
