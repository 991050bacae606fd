extension Pipeline {
    /// Runs `body` for a request. If the source failed recently, `body` may use caches only, and a miss throws the
    /// remembered failure.
    /// - Parameters:
    ///   - original: Returns the original that a result was made of; nil if there is none.
    ///   - body: Makes the result, given the places that the original may come from; nil for those that the request
    ///     allows.
    func unlessFailed<Result>(
        _ request: ResolvedRequest, original: (Result) -> Original?, _ body: (OriginalAccess?) async throws -> Result
    ) async throws -> Result {
        guard let failure = failure(of: request) else { return try await body(nil) }
        // The access is restricted here, and not where the load would begin: requests that set `retryFailed` could
        // share that work, and would fail as well.
        do {
            let result = try await body(.cacheOnly)
            // An original that HTTP forbids to show without revalidation is not shown after a failure either.
            if let original = original(result),
                staleness(of: original, request) == .stale(whileRevalidating: 0, ifError: 0)
            {
                throw failure
            }
            return result
        } catch let error as ImageError where error.code == .notCached {
            throw failure
        }
    }

    /// Returns the recent failure that prevents the source of a request from being asked; nil if it may be asked.
    func failure(of request: ResolvedRequest) -> ImageError? {
        guard !request.context[.retryFailed], !request.context[.fromCacheOnly] else { return nil }
        return failures.failure(of: request.failedSource)
    }

    /// Remembers that the source of a request has failed, if the request sets a time for it. The delegate decides
    /// whether the failure is remembered; without an answer from it, the kind of the failure decides.
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
            // Cancelled: no request waits for the load any more. The next request learns of the failure itself.
        }
    }
}

extension ResolvedRequest {
    /// The identity under which a failure is remembered.
    var failedSource: FailedSources.Source {
        FailedSources.Source(url: transfer.url, policy: transfer.exactPolicy, decoding: decoding)
    }
}
