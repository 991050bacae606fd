import CalotypeStandard

/// Loads the bytes of a source with an installed loader, without decoding and without caches.
struct SourceBytes: Sendable {
    let manager: ImageManager

    /// Returns all bytes of a source. Throws the error of the loader, `invalidURL`, `schemeRefused`, `noLoader`,
    /// `loadFailed` if the loader returns pixels, `badData` if the source is empty, or `limitExceeded`.
    func data(of source: Source) async throws -> Data {
        let context = ResolvedContext(manager.context)
        let limit = context[.maxInputBytes]
        guard let wanted = source.request else {
            return try await Lane.files.run { try StandardInput.data(limit: limit) }
        }
        guard let url = wanted.url else {
            throw ImageError(
                .invalidURL, stage: .load, message: "is not a valid URL", advice: "check its syntax")
        }
        try context.checkScheme(of: url)
        let request = LoadRequest(url: url, context: context)
        let installed = manager.registry.loaders.elements
        guard let loader = context[.imageLoader] ?? installed.first(where: { $0.canLoad(request) }) else {
            throw ImageError(
                .noLoader, stage: .load, message: "no loader supports the scheme '\(url.scheme ?? "")'",
                advice: "use another scheme; 'calotype plugins' lists the installed loaders")
        }
        let sink = CollectingSink(limit: limit)
        guard case .complete = try await loader.load(request, into: sink) else {
            throw ImageError(
                .loadFailed, stage: .load, message: "has no file: its loader returns pixels",
                advice: "use 'calotype load' instead")
        }
        guard sink.bytes.byteCount > 0 else {
            throw ImageError(.badData, stage: .load, message: "is empty", advice: "check the source")
        }
        return sink.bytes.data
    }
}

/// A sink that collects the loaded bytes, and throws `limitExceeded` if there are more than a limit.
private final class CollectingSink: ByteSink {
    let bytes = ImageBytes()
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    func begin(_ head: LoadHead) async throws {
        if let expected = head.expectedByteCount, expected > limit {
            throw tooLong("has \(expected) bytes, more than the limit of \(limit)")
        }
    }

    func write(_ chunk: Data) async throws {
        try Task.checkCancellation()
        guard chunk.count <= limit - bytes.byteCount else { throw tooLong("has more than \(limit) bytes") }
        try bytes.append(chunk)
    }

    private func tooLong(_ message: String) -> ImageError {
        ImageError(
            .limitExceeded, stage: .load, message: message,
            advice: "raise the limit with --set maxInputBytes=BYTES if the source is trusted")
    }
}
