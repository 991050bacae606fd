extension Pipeline {
    /// Runs `body` for a request, from a cache alone if the source failed recently; then its failure is thrown in place
    /// of a miss.
    /// - Parameter access: Where the original may come from; nil as the request says, which alone is restricted.
    func unlessFailed(
        _ resolved: ResolvedRequest, access: OriginalAccess?, _ body: (OriginalAccess?) async throws -> PipelineOutput
    ) async throws -> PipelineOutput {
        guard access == nil, let failure = failure(of: resolved) else { return try await body(access) }
        // Kept apart from the start, rather than turned away where the load would begin: requests that set
        // `retryFailed` would share that, and be turned away as well.
        do {
            let output = try await body(.cacheOnly)
            // What the rules of HTTP do not let be shown without a word of its source is not shown after a bad one.
            if let original = output.original,
                staleness(of: original, resolved) == .stale(whileRevalidating: 0, ifError: 0)
            {
                throw failure
            }
            return output
        } catch let error as ImageError where error.code == .notCached {
            throw failure
        }
    }

    /// The failure on whose account the source of a request is not asked; nil where it may be.
    func failure(of resolved: ResolvedRequest) -> ImageError? {
        guard !resolved.context[.retryFailed], !resolved.context[.fromCacheOnly] else { return nil }
        return failures.failure(of: resolved.failedSource)
    }

    /// Remembers that the source of a request has failed, where the request says for how long, and the delegate or the
    /// kind of the failure that it is.
    func remember(_ error: ImageError, of resolved: ResolvedRequest, waiter: any Waiter) async {
        guard let timeToLive = resolved.context[.failedURLTimeToLive], error.code != .cancelled else { return }
        do {
            let verdict = try await asking(resolved, on: lanes.resolving, waiter: waiter) { delegate in
                delegate.shouldRememberFailure(of: resolved.url, error: error)
            }
            guard verdict ?? FailedSources.isLasting(error) else { return }
            failures.note(error, of: resolved.failedSource, for: timeToLive)
        } catch {
            // Cancelled: no request waits for the load any more, and the next one will hear of it.
        }
    }

    /// Throws `notCached` when the delegate does not allow a load.
    func checkAllowed(_ request: LoadRequest, _ resolved: ResolvedRequest, waiter: any Waiter) async throws {
        let verdict = try await asking(resolved, on: lanes.resolving, waiter: waiter) { $0.shouldLoad(request) }
        guard verdict == false else { return }
        throw ImageError(
            .notCached, stage: .load, component: resolved.context[.delegate].map { typeName(of: $0) },
            message: "the delegate does not allow it to be loaded")
    }

    /// Asks the delegate whether a redirect may be followed; nil where there is none.
    func redirectApproval(
        of request: LoadRequest, _ resolved: ResolvedRequest, waiter: any Waiter
    ) -> (@Sendable (_ url: URL) async throws -> Bool)? {
        guard resolved.context[.delegate] != nil else { return nil }
        // A loader that keeps its requests is not to keep the manager that it is registered with.
        return { [weak self] url in
            guard let self else { throw CancellationError() }
            let verdict = try await asking(resolved, on: lanes.redirecting, waiter: waiter) {
                $0.shouldFollowRedirect(of: request, to: url)
            }
            return verdict ?? true
        }
    }

    /// Returns the delegate's answer, given on a lane; nil if there is no delegate. Throws `CancellationError`.
    private func asking(
        _ resolved: ResolvedRequest, on lane: Lane, waiter: any Waiter,
        _ body: @escaping @Sendable (any ImageManagerDelegate) -> Bool?
    ) async throws -> Bool? {
        guard let delegate = resolved.context[.delegate] else { return nil }
        return try await lane.run(for: waiter, job: Job()) { _ in body(delegate) }
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
