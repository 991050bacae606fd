#if HTTP
public import Calotype

/// A loader for HTTP and HTTPS, based on libcurl.
///
/// ```swift
/// var configuration = CurlImageLoader.Configuration()
/// configuration.maxConcurrentLoads = 12
/// let manager = ImageManager(plugins: [.http(configuration), .png])
/// ```
///
/// All transfers run on one thread, which starts with the first load and ends when the loader is released. Connections
/// are reused. Several transfers share a connection if the server supports HTTP/2 over TLS.
///
/// Loads wait in a queue, and the load with the highest priority begins first. The request's context values
/// `maxConcurrentTransfers` and `maxConcurrentTransfersPerHost` limit the number of concurrent transfers, in total and
/// for each host. Their defaults are the limits of the ``Configuration``. A load that waits for its host does not delay
/// loads from other hosts. After a redirect, the limit of the new host applies, and the load waits if that host has
/// reached its limit.
///
/// Bytes are delivered as they arrive. A slow consumer applies back-pressure to the server: for each transfer, the
/// loader holds at most 256 KiB, and libcurl at most 60 KiB. For transfers that share HTTP/2 connections, libcurl may
/// hold 16 MiB in total; beyond that, the other transfers on these connections wait too.
///
/// The request's `maxArrivingBytes` limits the memory that the bodies of all transfers take together until their loads
/// return. The first MiB of each body is not counted. A load whose body does not fit fails instead of waiting.
///
/// Compressed responses are not decoded: a content coding, or a transfer coding other than `chunked`, makes the load
/// fail. User and password in a URL are sent only to the origin of that URL. No proxy is used unless the
/// ``ProxyPolicy`` specifies one. Redirects from `https` to `http` are refused. The context keys of the plugin
/// configure single requests.
///
/// The request's `AddressPolicy` is checked for each address before a connection is opened, and again before each
/// request on a reused connection. A URL is refused if Foundation and libcurl find different hosts in it, because the
/// loader could then check one host and connect to another.
///
/// The loader throws errors with the codes `hostNotFound`, `addressRefused`, `connectionFailed`, `untrustedConnection`,
/// `redirectRefused`, `badStatus`, `notFound`, `accessDenied`, `badContentType`, `incomplete`, `timedOut`,
/// `limitExceeded`, `invalidURL`, `outOfMemory`, `outOfThreads` and `loadFailed`. An error about the status, the media
/// type or the coding of a response has an ``HTTPFailure`` as its cause.
public final class CurlImageLoader: ImageLoader {
    /// The settings for all transfers.
    public let configuration: Configuration

    private let engine: CurlEngine
    /// The headers for requests that do not set them, or the error for an invalid user agent in the configuration.
    private let defaultHeaders: Result<HTTPHeaders, ImageError>

    /// Creates a loader. The loader starts its thread and opens connections only when a load begins.
    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        engine = CurlEngine(configuration)
        let headers: HTTPHeaders = ["Accept": "image/*,*/*;q=0.8", "User-Agent": configuration.userAgent]
        defaultHeaders = Result { () throws(ImageError) in
            try headers.check(advice: "correct the loader's `userAgent`")
            return headers
        }
    }

    deinit { engine.stop() }

    /// The text that identifies this loader: its name, its ``distinction`` unless empty, and its user agent unless it
    /// is the default.
    public var identity: String {
        [name, distinction, configuration.agent].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// The text that distinguishes this loader from loaders with other trusted certificates. The text contains the path
    /// of the certificates, from the configuration or the environment. Empty for the system's certificates.
    public var distinction: String { configuration.distinction }

    public var queuesLoads: Bool { true }

    public func canLoad(_ request: LoadRequest) -> Bool {
        guard let scheme = request.url.scheme?.lowercased() else { return false }
        return scheme == "http" || scheme == "https"
    }

    public func requestField(_ name: String, for request: LoadRequest) -> String? {
        // Invalid settings are reported by the load.
        HTTPRequest.headers(of: request, defaults: (try? defaultHeaders.get()) ?? HTTPHeaders()).choice(of: name)
    }

    @concurrent
    public func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
        try Task.checkCancellation()
        let transfer = CurlTransfer(
            try HTTPRequest(request, defaults: defaultHeaders.get()), priority: request.priority, engine: engine)
        defer {
            transfer.giveBackRoom()
            if let metrics = transfer.metrics { sink.record(metrics) }
        }
        return try await withTaskCancellationHandler {
            try engine.add(transfer)
            let observation = request.observePriority { transfer.priority = $0 }
            defer { withExtendedLifetime(observation) {} }
            do {
                return try await pass(transfer, of: request, to: sink)
            } catch {
                // The error may come from the sink, which then needs no further data.
                transfer.cancel()
                throw error
            }
        } onCancel: {
            transfer.cancel()
        }
    }

    private func pass(
        _ transfer: CurlTransfer, of request: LoadRequest, to sink: any ByteSink
    ) async throws -> LoadOutcome {
        while true {
            switch try await transfer.next() {
            case .redirect(from: let source, to: let target):
                guard let url = URL(string: target.url), try await request.shouldFollowRedirect(to: url) else {
                    throw source.refused("redirects to \(target.origin), which the delegate does not allow")
                }
                transfer.follow(to: target)
            case .head(let head): try await sink.begin(head.loadHead(for: transfer.request))
            case .chunk(let chunk): try await sink.write(chunk)
            case .end(let outcome): return outcome
            }
        }
    }
}
#endif
