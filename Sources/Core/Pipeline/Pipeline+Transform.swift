/// What is transformed, and by which steps so far.
struct TransformKey: Hashable, Sendable {
    let decode: DecodeKey
    let steps: [String]
}

extension Pipeline {
    /// The image after `steps`: chains that begin alike share their beginning.
    func transformed(
        _ resolution: Resolution, steps: ArraySlice<any Transformer>, of decode: DecodeKey, interest: Interest
    ) async throws -> Product {
        guard let last = steps.last else { return try await decoded(decode, resolution, interest: interest) }
        let key = TransformKey(decode: decode, steps: steps.map(\.key))
        return try await transforms.value(for: key, interest: interest) { interest in
            var product = try await self.transformed(
                resolution, steps: steps.dropLast(), of: decode, interest: interest)
            let source = product.image
            let (image, start) = try await self.lanes.transforming.run(for: interest, job: Job()) {
                [time = self.time] job in
                let start = time.now()
                return (try last.apply(to: source, job: job, values: resolution.context), start)
            }
            let step = self.note(
                .transform, of: resolution, component: last.key, since: start, byteCount: image.byteCount)
            product.image = image
            product.steps.append(step)
            product.stores = SharedStores()
            return product
        }
    }
}

extension Transformer {
    /// The transformed image, within the limits of the values in force; any error as one of ours.
    func apply(to image: Image, job: Job, values: ResolvedContext) throws(ImageError) -> Image {
        do {
            let context = TransformContext(job: job, values: values)
            let made = try transform(image, context: context)
            try context.check(made.size)
            return made
        } catch {
            throw .wrapping(error, as: .transformFailed, stage: .transform, component: key, message: "failed")
        }
    }
}
