extension Pipeline {
    /// Runs `body` for a request, from a cache alone if the source failed recently; then its failure is thrown in place
    /// of a miss.
    /// - Parameter access: Where the original may come from; nil as the request says, which alone is restricted.
    func unlessFailed(
        _ request: ResolvedRequest, access: OriginalAccess?, _ body: (OriginalAccess?) async throws -> PipelineOutput
    ) async throws -> PipelineOutput {
        guard access == nil, let failure = failure(of: request) else { return try await body(access) }
        // Kept apart from the start, rather than turned away where the load would begin: requests that set
        // `retryFailed` would share that, and be turned away as well.
        do {
            let output = try await body(.cacheOnly)
            // What the rules of HTTP do not let be shown without a word of its source is not shown after a bad one.
            if let original = output.original,
                staleness(of: original, request) == .stale(whileRevalidating: 0, ifError: 0)
            {
                throw failure
            }
            return output
        } catch let error as ImageError where error.code == .notCached {
            throw failure
        }
    }

    /// The failure on whose account the source of a request is not asked; nil if it may be.
    func failure(of request: ResolvedRequest) -> ImageError? {
        guard !request.context[.retryFailed], !request.context[.fromCacheOnly] else { return nil }
        return failures.failure(of: request.failedSource)
    }

    /// Remembers that the source of a request has failed, where the request says for how long, and the delegate or the
    /// kind of the failure that it is.
    func remember(_ error: ImageError, of work: RequestWork) async {
        let request = work.request
        guard let timeToLive = request.context[.failedURLTimeToLive], error.code != .cancelled else { return }
        do {
            let verdict = try await asking(work, on: lanes.resolving) { delegate in
                delegate.shouldRememberFailure(of: request.url, error: error)
            }
            guard verdict ?? FailedSources.isLasting(error) else { return }
            failures.note(error, of: request.failedSource, for: timeToLive)
        } catch {
            // Cancelled: no request waits for the load any more, and the next one will hear of it.
        }
    }

    /// Throws `notCached` when the delegate does not allow a load.
    func checkAllowed(_ request: LoadRequest, _ work: RequestWork) async throws {
        let verdict = try await asking(work, on: lanes.resolving) { $0.shouldLoad(request) }
        guard verdict == false else { return }
        throw ImageError(
            .notCached, stage: .load, component: work.request.context[.delegate].map { typeName(of: $0) },
            message: "the delegate does not allow it to be loaded")
    }

    /// Asks the delegate whether a redirect may be followed; nil if there is none.
    func redirectApproval(
        of request: LoadRequest, _ work: RequestWork
    ) -> (@Sendable (_ url: URL) async throws -> Bool)? {
        guard work.request.context[.delegate] != nil else { return nil }
        // A loader that keeps its requests is not to keep the manager that it is registered with.
        return { [weak self] url in
            guard let self else { throw CancellationError() }
            let verdict = try await asking(work, on: lanes.redirecting) {
                $0.shouldFollowRedirect(of: request, to: url)
            }
            return verdict ?? true
        }
    }

    /// Returns the delegate's answer, given on a lane; nil if there is no delegate. Throws `CancellationError`.
    private func asking(
        _ work: RequestWork, on lane: Lane,
        _ body: @escaping @Sendable (any ImageManagerDelegate) -> Bool?
    ) async throws -> Bool? {
        guard let delegate = work.request.context[.delegate] else { return nil }
        return try await lane.run(for: work.demand, job: Job()) { _ in body(delegate) }
    }
}

extension ResolvedRequest {
    /// The identity under which a failure is remembered.
    var failedSource: FailedSources.Source {
        FailedSources.Source(url: transfer.url, policy: transfer.exactPolicy, decoding: decoding)
    }
}

extension URL {
    /// The URL as transfers know it: with its credentials, and never printed.
    var transferText: String { TransferID(url: self, context: .builtIn).url }
}
