extension ImageManager {
    /// Why a request would do what it would do: each value in force with its origin, the identities, and who would be
    /// asked. Loads nothing; asks the cache whether it has the image.
    ///
    /// Throws `invalidURL` and `processorFailed`.
    public func explain(_ source: some ImageRequestConvertible) async throws(ImageError) -> Explanation {
        let request = source.imageRequest
        let resolution = try await resolution(of: request)
        let context = resolution.context
        let values = context.entries.values
            .map { entry in
                let before =
                    resolution.mergedContext.entries[entry.setting.declaration]?.setting.text
                    ?? entry.setting.declaration.defaultText
                return Explanation.Value(
                    key: entry.setting.declaration, text: entry.setting.text, layer: entry.layer,
                    hidden: entry.hidden,
                    isChangedByProcessor: entry.layer == .processor && entry.setting.text != before)
            }
            .sorted { $0.key.name < $1.key.name }
        let coders = context[.imageCoder].map { [$0] } ?? registry.coders.elements
        let loadRequest = LoadRequest(url: resolution.url, context: context)
        let cached = try? await contains(request)
        return Explanation(
            url: resolution.url.redacted, values: values, source: resolution.variant.source,
            variant: resolution.variant,
            transferDigest: SHA256.hex(of: "\(resolution.transfer.url)\n\(resolution.transfer.policy)", byteCount: 8),
            loader: (try? pipeline.loader(for: loadRequest))?.name,
            coders: coders.map { ($0.name, $0.formats.map(\.name)) },
            transformers: resolution.transformers.map(\.key), cached: cached ?? [])
    }
}
