/// A resolver that makes a ``ResolvedRequest`` from a request to a manager, and remembers the result with the request.
/// Thread-safe.
struct RequestResolver: Sendable {
    /// The contexts of a request, from the farthest ``ContextLayer`` to the nearest, with the number of the manager's
    /// state.
    typealias Layers = (id: UInt64, layers: [(ContextLayer, ImageContext)])

    let pipeline: Pipeline

    /// Returns the listeners of a request that are known before its options processor runs.
    func listeners(of layers: Layers) -> Listeners {
        Listeners(layers.layers.map(\.1), through: pipeline.channels)
    }

    /// Returns the resolved request; nil if resolving it might have to wait.
    func resolvedAtOnce(_ request: ImageRequest, _ layers: Layers) throws(ImageError) -> ResolvedRequest? {
        if let known = remembered(request, in: layers.id) { return known }
        guard !ResolvedRequest.needsUserCode(layers.layers) else { return nil }
        let basis = try basis(of: request, layers)
        guard !basis.context.needsImages else { return nil }
        let version = basis.version { pipeline.version(of: $0, mayWait: false) }
        guard version != .unknown else { return nil }
        return remember(basis, version, request, layers)
    }

    /// Returns the remembered result of resolving a request; nil if there is none, or if it is outdated.
    /// - Parameter stateID: The number of the manager's state, which changes with the manager's context.
    func remembered(_ request: ImageRequest, in stateID: UInt64) -> ResolvedRequest? {
        guard let known = request.resolved(in: stateID),
            known.isUpToDate(
                loaderChangeCount: pipeline.registry.loaders.changeCount,
                tellVersion: { pipeline.version(of: $0, mayWait: false) })
        else { return nil }
        return known
    }

    /// Resolves a request and remembers the result.
    ///
    /// Client code is called on one ``Lane``, and loaders that must wait for the version of data do so on another one.
    /// A storage device that does not respond then delays only requests that wait for versions.
    /// - Parameters:
    ///   - isObserved: Whether the step of resolving is counted and reported to listeners.
    ///   - preparation: Loads the images that transformers need; nil if the image is not needed, only its source or its
    ///     original. Default: nil.
    func resolve(
        _ request: ImageRequest, _ layers: Layers, for waiter: any Waiter, isObserved: Bool,
        preparing preparation: TransformerPreparation? = nil
    ) async throws -> ResolvedRequest {
        try Task.checkCancellation()
        let suspended = SuspendedSpan()
        defer { suspended.stop() }
        let start = { @Sendable () throws -> (ResolvedRequest.Basis, SourceVersion) in
            let span = isObserved ? pipeline.beginResolving(request, listeners(of: layers), for: waiter) : nil
            do {
                let basis = try self.basis(of: request, layers)
                let version = basis.version { pipeline.version(of: $0, mayWait: false) }
                if version == .unknown, let span { suspended.put(span) } else { span?.end() }
                return (basis, version)
            } catch {
                span?.fail(error)
                throw error
            }
        }
        let lanes = pipeline.lanes
        let basis: ResolvedRequest.Basis
        var version: SourceVersion
        if ResolvedRequest.needsUserCode(layers.layers) {
            (basis, version) = try await lanes.resolving.run(for: waiter.demand, job: Job()) { _ in try start() }
        } else {
            (basis, version) = try start()
        }
        if version == .unknown {
            version = try await lanes.versions.run(for: waiter.demand, job: Job()) { _ -> SourceVersion in
                let span = try suspended.take()
                let version = basis.version { pipeline.version(of: $0, mayWait: true) }
                span?.end()
                return version
            }
        }
        guard basis.context.needsImages else { return remember(basis, version, request, layers) }
        // Requests for bytes, and for all variants, need no transformers.
        let context =
            try await preparation?.prepared(basis.context, of: basis.normalizedURL, request.context, for: waiter.demand)
            ?? basis.context.replacing(.off(.transformers))
        // Not remembered: the images may have changed when the request is resolved again.
        return resolved(basis.replacing(context), version, layers)
    }

    private func resolved(
        _ basis: ResolvedRequest.Basis, _ version: SourceVersion, _ layers: Layers
    ) -> ResolvedRequest {
        ResolvedRequest(basis, version: version, stateID: layers.id, channels: pipeline.channels)
    }

    private func remember(
        _ basis: ResolvedRequest.Basis, _ version: SourceVersion, _ request: ImageRequest, _ layers: Layers
    ) -> ResolvedRequest {
        let resolved = resolved(basis, version, layers)
        request.remember(resolved)
        return resolved
    }

    private func basis(of request: ImageRequest, _ layers: Layers) throws(ImageError) -> ResolvedRequest.Basis {
        guard let url = request.url else {
            throw ImageError(
                .invalidURL, stage: .resolve, subject: request.subject,
                message: request.subject.isEmpty ? "the URL is empty" : "is not a URL with a scheme",
                advice: "begin with a scheme such as https: or file:, or use ImageRequest(path:) for a file")
        }
        return try ResolvedRequest.Basis(
            url: url, layers: layers.layers, loaderChangeCount: pipeline.registry.loaders.changeCount
        ) { pipeline.distinction(of: $0, $1) }
    }
}
