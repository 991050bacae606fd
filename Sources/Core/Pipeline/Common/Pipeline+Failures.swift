extension Pipeline {
    /// Returns a result from the caches for a request whose source has failed or must not be asked. Throws `failure` if
    /// the caches have no result, or if HTTP forbids using the result without revalidation.
    /// - Parameters:
    ///   - original: Returns the original that a result was made from; nil if there is none.
    ///   - body: Makes the result, using only caches.
    func cached<Result>(
        _ request: ResolvedRequest, despite failure: ImageError, original: (Result) -> Original?,
        _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await body()
            // If HTTP forbids showing an original without revalidation, the original is not shown after a failure
            // either.
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

    /// Remembers that the source of a request has failed, if the request sets `failedURLTimeToLive`. The delegate
    /// decides first; if it has no answer, the kind of the failure decides.
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
