public import Calotype

/// A loader for data URIs: URLs with the scheme `data`, which contain the image itself.
///
/// ```swift
/// let image = try await manager.image(for: "data:image/png;base64,iVBORw0KGgo...")
/// ```
///
/// Data URIs are read as in web browsers: by RFC 2397 and, where it is silent, by WHATWG's Fetch standard. Percent
/// escapes are decoded in all data, including Base64. In Base64, white space is ignored and padding is optional, but
/// the URL-safe alphabet is refused. The data ends before a fragment, which begins with `#`.
///
/// Pass the data URI to the manager as a string, not as a `URL`. If a string contains characters that a URL must not
/// contain, `URL(string:)` escapes them, but also escapes existing escapes a second time.
///
/// An invalid or empty data URI causes an error with the code `badData`. No error message contains the data. The number
/// of bytes is reported before decoding begins, so that `maxInputBytes` refuses long data before memory is allocated
/// for it.
///
/// By default, nothing is stored on disk, because the caller has the bytes already. Set `storesDataURIs` to store
/// images on disk too.
public final class DataURIImageLoader: ImageLoader {
    /// The maximum length, in bytes, of a URI that is decoded without switching to the loader's ``Lane``. Switching
    /// threads takes longer than decoding so few bytes.
    static let inlineByteCount = 64 << 10

    private let lane = Lane(name: "ct-data", width: 2)

    /// Creates a loader for data URIs.
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
