#if HTTP
import Calotype

/// An HTTP request with all settings that the loader needs to send it. All values are checked and within their limits.
///
/// The type is a class, because copying a structure on two threads would change the reference counts of all its parts.
final class HTTPRequest: Sendable {
    /// The maximum of all time limits: one day.
    static let longestTime = Duration.seconds(86_400)

    let address: HTTPAddress
    /// The headers of the request, completed by those of the loader. The headers in ``conditions`` are separate.
    let headers: HTTPHeaders
    /// The headers that refer to a cached copy, such as `If-None-Match` and `Range`.
    let conditions: [HTTPField]
    /// Whether the status 304 (not modified) is an acceptable response.
    let isConditional: Bool
    /// The entity tag of the cached copy; nil for none.
    let entityTag: String?
    /// The offset of the first requested byte; 0 requests the whole image.
    let resumeOffset: Int

    /// The maximum time for opening a connection, in milliseconds, at least 1.
    let connectTimeout: Int
    /// The maximum duration of the transfer, in milliseconds, at least 1.
    let transferTimeout: Int
    /// The minimum speed in bytes per second; 0 for no minimum.
    let lowSpeedLimit: Int
    /// The time for which the transfer may be slower than ``lowSpeedLimit``, in seconds, at least 1.
    let lowSpeedTime: Int
    let maxRedirects: Int
    /// The maximum number of concurrent transfers; nil for the limit of the loader.
    let maxConcurrentTransfers: Int?
    /// The maximum number of concurrent transfers from one host; nil for the limit of the loader.
    let maxConcurrentTransfersPerHost: Int?
    /// The maximum memory in bytes that the bodies of all transfers may take together; nil for no limit. The first MiB
    /// of each body is not counted.
    let maxArrivingBytes: Int?
    let addressPolicy: AddressPolicy
    let proxyPolicy: ProxyPolicy
    /// The path of the file with the trusted certificates; nil for the file that the loader uses by default.
    let certificateAuthorities: String?
    /// Whether the load's task must approve each redirect. True if a delegate decides about redirects.
    let needsRedirectApproval: Bool
    /// The schemes that a redirect may lead to; nil for both `http` and `https`. A redirect from `https` to `http` is
    /// never followed, even if the set contains `http`.
    let allowedSchemes: URLSchemes?
    let acceptableStatusCodes: HTTPStatusCodes
    let acceptableContentTypes: MediaTypes

    /// Creates an HTTP request. Throws `invalidURL` for an invalid URL, and `loadFailed` for headers that cannot be
    /// sent.
    /// - Parameter defaults: The headers for names that the request does not set. They must have been checked.
    init(_ request: LoadRequest, defaults: HTTPHeaders) throws(ImageError) {
        let context = request.context
        address = try HTTPAddress(request.url)
        try context[.httpHeaders].check(advice: "correct the context value `httpHeaders`")
        headers = Self.headers(of: request, defaults: defaults)
        (conditions, resumeOffset) = Self.conditions(of: request)
        entityTag = request.validators?.entityTag
        isConditional = resumeOffset == 0 && !conditions.isEmpty

        func count(_ key: ContextKey<Duration>, _ unit: Duration) -> Int {
            Int((min(max(context[key], unit), Self.longestTime) / unit).rounded(.up))
        }
        connectTimeout = count(.connectTimeout, .milliseconds(1))
        transferTimeout = count(.transferTimeout, .milliseconds(1))
        lowSpeedTime = count(.lowSpeedTime, .seconds(1))
        lowSpeedLimit = min(max(0, context[.lowSpeedLimit]), Int(Int32.max))
        maxRedirects = min(max(0, context[.maxRedirects]), 50)
        maxConcurrentTransfers = context[.maxConcurrentTransfers]
        maxConcurrentTransfersPerHost = context[.maxConcurrentTransfersPerHost]
        maxArrivingBytes = context[.maxArrivingBytes].map { max(0, $0) }
        addressPolicy = context[.addressPolicy]
        proxyPolicy = context[.proxyPolicy]
        certificateAuthorities = context[.certificateAuthorities]?.path
        needsRedirectApproval = request.needsRedirectApproval
        allowedSchemes = context[.allowedSchemes]
        acceptableStatusCodes = context[.acceptableStatusCodes]
        acceptableContentTypes = context[.acceptableContentTypes]
    }

    /// Returns the headers of a request, without its ``conditions``.
    static func headers(of request: LoadRequest, defaults: HTTPHeaders) -> HTTPHeaders {
        request.context[.httpHeaders].adding(defaults)
    }

    /// Returns the headers that refer to a cached copy, and the offset of the first byte that they request.
    ///
    /// The rest of a partial copy is requested only with a validator, because parts of two versions must not be joined.
    /// Source: RFC 9110, sections 13.1 and 14.2.
    private static func conditions(of request: LoadRequest) -> ([HTTPField], resumeOffset: Int) {
        func field(_ name: String, _ value: String?) -> HTTPField? {
            guard let value, !value.isEmpty else { return nil }
            let field = HTTPField(name: name, value: value)
            return field.problem == nil ? field : nil
        }
        let tag = request.validators?.entityTag
        let date = request.validators?.lastModified
        guard request.resumeOffset > 0 else {
            return ([field("If-None-Match", tag), field("If-Modified-Since", date)].compactMap { $0 }, 0)
        }
        let strongTag = tag.flatMap { $0.hasPrefix("W/") ? nil : $0 }
        // A date validates a copy only if there is no entity tag.
        guard let version = tag == nil ? field("If-Range", date) : field("If-Range", strongTag) else { return ([], 0) }
        return ([HTTPField(name: "Range", value: "bytes=\(request.resumeOffset)-"), version], request.resumeOffset)
    }
}
#endif
