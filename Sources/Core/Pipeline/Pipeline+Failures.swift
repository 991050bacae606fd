extension Pipeline {
    /// Runs `body` for a request, from a cache alone if the source failed recently; then its failure is thrown in place
    /// of a miss.
    /// - Parameter access: Where the original may come from; nil as the request says, which alone is restricted.
    func unlessFailed(
        _ resolution: Resolution, access: OriginalAccess?, _ body: (OriginalAccess?) async throws -> Product
    ) async throws -> Product {
        guard access == nil, let failure = failure(of: resolution) else { return try await body(access) }
        // Kept apart from the start, rather than turned away where the load would begin: requests that set
        // `retryFailed` would share that, and be turned away as well.
        do {
            let product = try await body(.cacheOnly)
            // What the rules of HTTP do not let be shown without a word of its source is not shown after a bad one.
            if let original = product.original,
                staleness(of: original, resolution) == .stale(whileRevalidating: 0, ifError: 0)
            {
                throw failure
            }
            return product
        } catch let error as ImageError where error.code == .notCached {
            throw failure
        }
    }

    /// The failure on whose account the source of a request is not asked; nil where it may be.
    func failure(of resolution: Resolution) -> ImageError? {
        guard !resolution.context[.retryFailed], !resolution.context[.fromCacheOnly] else { return nil }
        return failures.failure(of: resolution.failedSource)
    }

    /// Remembers that the source of a request has failed, where the request says for how long, and the delegate or the
    /// kind of the failure that it is.
    func remember(_ error: ImageError, of resolution: Resolution, interest: any Interest) async {
        guard let timeToLive = resolution.context[.failedURLTimeToLive], error.code != .cancelled else { return }
        do {
            let verdict = try await asking(resolution, on: lanes.resolving, interest: interest) { delegate in
                delegate.shouldRememberFailure(of: resolution.url, error: error)
            }
            guard verdict ?? FailedSources.isLasting(error) else { return }
            failures.note(error, of: resolution.failedSource, for: timeToLive)
        } catch {
            // Cancelled: no request waits for the load any more, and the next one will hear of it.
        }
    }

    /// Throws `notCached` when the delegate does not allow a load.
    func checkAllowed(_ request: LoadRequest, _ resolution: Resolution, interest: any Interest) async throws {
        let verdict = try await asking(resolution, on: lanes.resolving, interest: interest) { $0.shouldLoad(request) }
        guard verdict == false else { return }
        throw ImageError(
            .notCached, stage: .load, component: resolution.context[.delegate].map { typeName(of: $0) },
            message: "the delegate does not allow it to be loaded")
    }

    /// Asks the delegate whether a redirect may be followed; nil where there is none.
    func redirectApproval(
        of request: LoadRequest, _ resolution: Resolution, interest: any Interest
    ) -> (@Sendable (_ url: URL) async throws -> Bool)? {
        guard resolution.context[.delegate] != nil else { return nil }
        // A loader that keeps its requests is not to keep the manager that it is registered with.
        return { [weak self] url in
            guard let self else { throw CancellationError() }
            let verdict = try await asking(resolution, on: lanes.redirecting, interest: interest) {
                $0.shouldFollowRedirect(of: request, to: url)
            }
            return verdict ?? true
        }
    }

    /// Returns the delegate's answer, given on a lane; nil if there is no delegate. Throws `CancellationError`.
    private func asking(
        _ resolution: Resolution, on lane: Lane, interest: any Interest,
        _ body: @escaping @Sendable (any ImageManagerDelegate) -> Bool?
    ) async throws -> Bool? {
        guard let delegate = resolution.context[.delegate] else { return nil }
        return try await lane.run(for: interest, job: Job()) { _ in body(delegate) }
    }
}

extension Resolution {
    /// The identity under which a failure is remembered.
    var failedSource: FailedSources.Source {
        FailedSources.Source(url: transfer.url, policy: transfer.exactPolicy, decoding: decoding)
    }
}

extension URL {
    /// The URL as transfers know it: with its credentials, and never printed.
    var transferText: String { TransferID(url: self, context: .builtIn).url }
}
