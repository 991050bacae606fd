public import Calotype

/// Loads data URIs: URLs with the scheme `data`, which hold the image itself.
///
/// ```swift
/// let image = try await manager.image(for: "data:image/png;base64,iVBORw0KGgo...")
/// ```
///
/// They are read as web browsers do: by RFC 2397 and, where it is silent, by WHATWG's Fetch standard. Escapes are
/// undone in both kinds of data; in Base64, spaces and line breaks do not count and padding may be left out, but the
/// URL-safe alphabet is refused. A fragment is no part of the data. Give the text to the manager as it is:
/// `URL(string:)` escapes what a URL may not hold, and where there is such a character, the escapes that are there
/// already once more.
///
/// A text that is no data URI, cannot be decoded or holds nothing ends with the code `badData`; no error repeats what
/// it holds. How many bytes there are is told before the first is decoded, so that `maxInputBytes` refuses what is too
/// long before memory is taken for it.
///
/// Nothing is stored on disk unless `storesDataURIs` says so: the caller has the bytes already.
public final class DataURIImageLoader: ImageLoader {
    /// Longer texts are decoded on a lane of the loader's own; shorter ones at once, since getting there takes longer.
    static let inlineByteCount = 64 << 10

    private let lane = Lane(name: "ct-data", width: 2)

    /// A loader of data URIs.
    public init() {}

    public func canLoad(_ request: LoadRequest) -> Bool {
        request.url.scheme?.lowercased() == "data"
    }

    @concurrent
    public func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
        let text = request.url.absoluteString
        let isLong = text.utf8.count > Self.inlineByteCount
        let uri = try await run(for: request, onLane: isLong) { try DataURI(text) }
        try await sink.begin(
            LoadHead(
                expectedByteCount: uri.byteCount, mimeType: uri.mediaType,
                isStorable: request.context[.storesDataURIs]))
        let data = try await run(for: request, onLane: isLong) { try uri.decoded() }
        try await sink.write(data)
        return .complete
    }

    private func run<Result: Sendable>(
        for request: LoadRequest, onLane isLong: Bool, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        guard isLong else { return try body() }
        return try await lane.run(priority: request.priority, body)
    }
}
