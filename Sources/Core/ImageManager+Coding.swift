extension ImageManager {
    /// Decodes and transforms bytes, without a loader or a cache. Only the images that transformers need
    /// (``ComposingTransformer``) are loaded, as in a request. The values of `context` win over those of the
    /// manager's context.
    ///
    /// Runs on one of the manager's threads for decoding. Throws the errors of the coders and the transformers,
    /// `unknownFormat` if no coder recognizes the bytes, `limitExceeded`, `timedOut`, or `cancelled` if the task is
    /// cancelled.
    public func decode(_ data: Data, context: ImageContext = []) async throws(ImageError) -> Image {
        let own = resolved(context)
        let note = noting(context, of: "\(data.count) bytes")
        let (pipeline, preparation) = (pipeline, preparation)
        return try await coding(.decode) {
            try own[.transformers].checkParameters()
            let job = Job(timeout: own[.timeout], time: pipeline.time)
            let resolved = try await preparation.prepared(own, of: nil, context, for: Demand(own[.priority]))
            return try await pipeline.lanes.decodeOnBudget(
                for: Demand(resolved[.priority]), job: job
            ) { job, admission in
                let image = try pipeline.coders.decode(
                    ImageBytes(data), context: resolved, job: job, admission: admission, onIssue: note
                ).image
                let made = try Fusion(resolved).rest.reduce(image) { image, step in
                    try step.applyAsStep(to: image, job: job, values: resolved, onIssue: note)
                }
                return try made.preloaded(as: resolved, job: job.decoding(resolved, time: pipeline.time))
            }.scaled(by: max(1, resolved[.scaleFactor]))
        }
    }

    /// Returns the properties of a file without decoding its pixels. Throws the same errors as ``decode(_:context:)``,
    /// except `timedOut` and those of decoding pixels and of transforming.
    public func info(of data: Data, context: ImageContext = []) async throws(ImageError) -> ImageInfo {
        let resolved = resolved(context)
        let pipeline = pipeline
        return try await coding(.decode) {
            try await pipeline.lanes.decode(for: Demand(resolved[.priority])) { _ in
                try pipeline.coders.info(of: ImageBytes(data), context: resolved)
            }
        }
    }

    /// Encodes an image in a format. The values of `context` win over those of the manager's context.
    ///
    /// Only the first frame of an animation is written if the format has no animations, if its coder writes none, or if
    /// the context sets `encodeFirstFrameOnly`. Otherwise all frames that the context selects are decoded and written,
    /// within the time limit of one decode (`decodeTimeout`). A color profile that the format does not accept is left
    /// out, and listeners are notified.
    ///
    /// Runs on one of the manager's threads for encoding. Throws `unknownFormat` if no installed coder writes the
    /// format, `encodeFailed` if the format cannot hold the image or `encodeMaxFileBytes` cannot be met, `timedOut`, or
    /// `cancelled` if the task is cancelled.
    public func encode(
        _ image: Image, as format: ImageFormat, context: ImageContext = []
    ) async throws(ImageError) -> Data {
        let resolved = resolved(context)
        let note = noting(context, of: "\(image.size) pixels")
        let pipeline = pipeline
        return try await coding(.encode) {
            guard let encoder = pipeline.coders.encoder(for: format, context: resolved) else {
                let writable = pipeline.coders.formats
                    .filter { pipeline.coders.encoder(for: $0, context: resolved) != nil }.map(\.name)
                throw ImageError(
                    .unknownFormat, stage: .encode, message: "no installed coder writes \(format.name)",
                    advice: "choose one of: \(writable.joined(separator: ", "))")
            }
            let job = Job(timeout: resolved[.timeout], time: pipeline.time)
            return try await pipeline.lanes.encoding.run(
                for: Demand(resolved[.priority]), job: job
            ) { job in
                try pipeline.encode(image, as: format, by: encoder, context: resolved, job: job, onIssue: note)
            }
        }
    }

    /// Returns the installed format with a name, media type or file name extension; nil if there is none.
    public func format(named name: String) -> ImageFormat? {
        let name = name.lowercased()
        return registry.formats.first {
            $0.name == name || $0.fileExtensions.contains(name) || $0.mimeTypes.contains(name)
        }
    }

    /// Returns the context values for a call. The values of `context` override those of the manager's context.
    func resolved(_ context: ImageContext) -> ResolvedContext {
        ResolvedContext(layers: [(.manager, self.context), (.request, context)])
    }

    /// Returns a function that counts failures that do not stop the work, and reports them to listeners.
    private func noting(_ context: ImageContext, of subject: String) -> @Sendable (ImageError) -> Void {
        let listeners = Listeners([self.context, context], through: pipeline.channels)
        // A coder that retains the options of a call must not retain the manager that it is registered with.
        return { [counters = pipeline.counters] issue in
            counters.noteIssue(issue)
            listeners.tell(
                PipelineEvent(.issue(issue), stage: issue.stage, component: issue.component, subject: subject))
        }
    }

    private func coding<Result: Sendable>(
        _ stage: ImageError.Stage, _ body: () async throws -> Result
    ) async throws(ImageError) -> Result {
        do {
            return try await body()
        } catch {
            throw ImageError.wrapping(
                error, as: .badData, stage: stage,
                message: stage == .encode ? "could not be encoded" : "could not be decoded")
        }
    }
}
