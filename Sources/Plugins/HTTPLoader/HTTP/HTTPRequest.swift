#if HTTP
import Calotype

/// A request as the loader makes it: everything that was asked for, checked and within bounds.
///
/// An object: counting the references of all that it has, on two threads at once, takes longer than anything done with
/// it.
final class HTTPRequest: Sendable {
    /// The longest time that libcurl is told of.
    static let longestTime = Duration.seconds(86_400)

    let address: HTTPAddress
    /// The headers of the request and the loader; none of them is about an older copy.
    let headers: HTTPHeaders
    /// The headers that speak of an older copy.
    let conditions: [HTTPField]
    /// Whether "not modified" is an answer.
    let isConditional: Bool
    /// The entity tag of the copy at hand.
    let entityTag: String?
    /// The first byte that is asked for; 0 asks for all.
    let resumeOffset: Int

    /// The maximum time for connecting in milliseconds, at least 1, as is the next.
    let connectTimeout: Int
    let transferTimeout: Int
    /// The minimum speed in bytes a second; 0 for any speed.
    let lowSpeedLimit: Int
    /// The time for which a transfer may be slower, in seconds, at least 1.
    let lowSpeedTime: Int
    let maxRedirects: Int
    /// The limits of the request; nil if those of the loader hold.
    let maxConcurrentTransfers: Int?
    let maxConcurrentTransfersPerHost: Int?
    /// The bytes that bodies may take together; nil for no limit.
    let maxArrivingBytes: Int?
    let addressPolicy: AddressPolicy
    let proxyPolicy: ProxyPolicy
    /// The path of the file with the certificates that are trusted; nil for those of the loader.
    let certificateAuthorities: String?
    /// Whether redirects wait until the load's task has approved of them.
    let needsRedirectApproval: Bool
    /// The schemes that a redirect may lead to; nil for those of HTTP.
    let allowedSchemes: URLSchemes?
    let acceptableStatusCodes: HTTPStatusCodes
    let acceptableContentTypes: MediaTypes

    /// The request for what is asked of the loader, with `defaults` for headers that it does not bring, which have been
    /// checked. Throws `invalidURL`, and `loadFailed` for headers that cannot be sent.
    init(_ request: LoadRequest, defaults: HTTPHeaders) throws(ImageError) {
        let context = request.context
        address = try HTTPAddress(request.url)
        try context[.httpHeaders].check(advice: "mend the context value `httpHeaders`")
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

    /// The headers of a request, but for those that speak of an older copy.
    static func headers(of request: LoadRequest, defaults: HTTPHeaders) -> HTTPHeaders {
        request.context[.httpHeaders].adding(defaults)
    }

    /// The headers that speak of an older copy, and from which byte on they ask.
    ///
    /// The rest of a copy is asked for only where a validator can say that it is still the same: two versions must not
    /// be joined. Source: RFC 9110, sections 13.1 and 14.2.
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
        // A date speaks for a copy only where there is no tag.
        guard let version = tag == nil ? field("If-Range", date) : field("If-Range", strongTag) else { return ([], 0) }
        return ([HTTPField(name: "Range", value: "bytes=\(request.resumeOffset)-"), version], request.resumeOffset)
    }
}
#endif
