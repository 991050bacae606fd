/// The way of a request: query, load, decode, transform, store.
///
/// One file for each stage, in the order in which a request meets them: `Resolution`, `Pipeline+Query`,
/// `Pipeline+Load`, `Pipeline+Decode`, `Pipeline+Transform`, `Pipeline+Store`. A stage whose work can be wanted twice
/// at once has a table, in which it is done once for all who want it.
final class Pipeline: Sendable {
    let registry: Registry
    let lanes: Lanes
    let time: any TimeSource

    /// Variants being read from a cache's data tier and decoded.
    let reads = WorkTable<ReadKey, Product?>()
    /// Originals being found in a cache or loaded.
    let originals = WorkTable<OriginalKey, Original>()
    /// Transfers under way.
    let transfers = WorkTable<TransferID, Original>()
    /// What the transfers brought, while it is decoded.
    let originalsInUse = OriginalsInUse()
    /// Originals being decoded.
    let decodes = WorkTable<DecodeKey, Product>()
    /// Images being transformed, by what was done to them so far.
    let transforms = WorkTable<TransformKey, Product>()

    /// Stores under way.
    let pendingStores = PendingStores()

    init(registry: Registry, concurrency: Concurrency, time: any TimeSource) {
        self.registry = registry
        self.time = time
        lanes = Lanes(concurrency)
    }

    /// The response to a request of which no image is in memory.
    func response(to request: ImageRequest, _ resolution: Resolution, interest: Interest) async throws -> ImageResponse
    {
        let product: Product
        if let found = try await queried(resolution, interest: interest) {
            product = found
        } else {
            product = try await transformed(
                resolution, steps: resolution.transformers[...], of: DecodeKey(resolution), interest: interest)
        }
        try Task.checkCancellation()
        let storing = try await store(product, resolution)
        let data = resolution.variant.isOriginal ? try await data(of: product.original, interest: interest) : nil
        return ImageResponse(
            request: request, image: product.image.scaled(by: resolution.scale), source: product.source, data: data,
            metrics: ImageMetrics(steps: product.steps + storing))
    }

    /// The bytes of an original, where it has any, read on the lane for that if they still have to be.
    private func data(of original: Original?, interest: Interest) async throws -> Data? {
        guard let bytes = original?.bytes else { return nil }
        guard bytes.isReadWhenAsked else { return bytes.data }
        return try await lanes.reading.run(for: interest, job: Job()) { _ in try bytes.whole() }
    }

    /// The metrics' entry of a step that is done, of which whoever listens is told.
    func note(
        _ stage: ImageError.Stage, of resolution: Resolution, component: String? = nil, since start: Duration,
        byteCount: Int? = nil, transfer: TransferMetrics? = nil
    ) -> ImageMetrics.Step {
        let duration = time.now() - start
        resolution.listener?.received(
            PipelineEvent(
                stage: stage, component: component, subject: resolution.variant.description, duration: duration,
                byteCount: byteCount, transfer: transfer))
        return ImageMetrics.Step(
            stage: stage, component: component, duration: duration, byteCount: byteCount, transfer: transfer)
    }

    /// Tells whoever listens of a failure that does not stop the request.
    func note(_ error: ImageError, of resolution: Resolution) {
        resolution.listener?.received(
            PipelineEvent(
                stage: error.stage, component: error.component, subject: resolution.variant.description,
                outcome: .failed(error)))
    }
}
