#if HTTP
public import Calotype

/// Loads over HTTP and HTTPS, with libcurl.
///
/// ```swift
/// var configuration = CurlImageLoader.Configuration()
/// configuration.maxConcurrentLoads = 12
/// let manager = ImageManager(plugins: [.http(configuration), .png])
/// ```
///
/// All transfers run on one thread, which begins with the first load and ends when the loader goes. Connections are
/// used again, and shared where a server speaks HTTP/2 over TLS. Loads wait for their turn: the most urgent first, in
/// all and for each host no more at once than the request's context values `maxConcurrentTransfers` and
/// `maxConcurrentTransfersPerHost` say, or else the ``Configuration``, without holding up those from elsewhere. The
/// host is that of the request at hand: a redirect to a host that is full waits for its turn there.
///
/// Bytes are handed on while they come; when they are taken more slowly than that, the server is made to wait. For each
/// transfer that waits in this way, at most 256 KiB lie here and 60 KiB in libcurl; for those that share a
/// connection of HTTP/2, libcurl may hold 16 MiB in all, after which the others on that connection wait too. Bodies are
/// taken as they are: a content coding or a transfer coding, other than `chunked`, makes the load fail. User and
/// password in a URL are sent to its own origin alone. There is no proxy unless ``ProxyPolicy`` says so.
/// Redirects lead from `http` to both schemes and from `https` to `https`. What may be asked of a single request is
/// among the context keys of the plugin.
///
/// The request's `maxArrivingBytes` limits the memory that the bodies of all transfers take together, until their loads
/// return. The first MiB of each is not counted, and a body without room fails instead of waiting.
///
/// The request's `AddressPolicy` is applied to each address before a connection is opened to it, and again before each
/// request on a connection that is used again. A URL whose host Foundation reads differently is refused.
///
/// Throws errors of the codes `hostNotFound`, `addressRefused`, `connectionFailed`, `untrustedConnection`,
/// `redirectRefused`, `badStatus`, `notFound`, `accessDenied`, `badContentType`, `incomplete`, `timedOut`,
/// `limitExceeded`, `invalidURL` and `loadFailed`; those about an answer have an ``HTTPFailure`` for their cause.
public final class CurlImageLoader: ImageLoader {
    /// The settings of all transfers.
    public let configuration: Configuration

    private let engine: CurlEngine
    /// The headers that are sent unless a request says otherwise; a failure if the configuration cannot be sent.
    private let defaultHeaders: Result<HTTPHeaders, ImageError>

    /// A loader. Nothing runs, and no connection is there, before the first load.
    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        engine = CurlEngine(configuration)
        let headers: HTTPHeaders = ["Accept": "image/*,*/*;q=0.8", "User-Agent": configuration.userAgent]
        defaultHeaders = Result { () throws(ImageError) in
            try headers.check(advice: "mend the loader's `userAgent`")
            return headers
        }
    }

    deinit { engine.stop() }

    /// The name, the distinction and the user agent, as far as they are not the default.
    public var identity: String {
        [name, distinction, configuration.agent].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// The file of the certificate authorities that the configuration or the environment names; empty for the system's.
    public var distinction: String { configuration.distinction }

    public var queuesLoads: Bool { true }

    public func canLoad(_ request: LoadRequest) -> Bool {
        guard let scheme = request.url.scheme?.lowercased() else { return false }
        return scheme == "http" || scheme == "https"
    }

    public func requestField(_ name: String, for request: LoadRequest) -> String? {
        // Settings that cannot be sent are told of by the load.
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
                // Also where it was the sink that refused: nobody wants the rest.
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
                    throw source.refused("sends it on to \(target.origin), which the delegate does not allow")
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
