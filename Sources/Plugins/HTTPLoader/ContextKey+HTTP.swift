#if HTTP
public import Calotype

extension ContextKey where Value == HTTPHeaders {
    /// The headers sent with the request.
    public static let httpHeaders = ContextKey(
        "httpHeaders", default: HTTPHeaders(), affects: [.transfer, .stored],
        summary: "The headers of an HTTP request; each name occurs once, and replaces the loader's own.",
        syntax: "one 'Name: value' on each line",
        parse: { HTTPHeaders(text: $0) }, describe: { $0.description }, identity: { $0.identityText },
        exact: { $0.exactText })
}

extension ContextKey where Value == Duration {
    /// The maximum time until there is a connection.
    public static let connectTimeout = ContextKey(
        "connectTimeout", default: .seconds(10), in: .milliseconds(1)...HTTPRequest.longestTime, affects: .transfer,
        summary: "The maximum duration of name resolution, connecting and the TLS handshake.")

    /// The maximum duration of a transfer.
    public static let transferTimeout = ContextKey(
        "transferTimeout", default: .seconds(120), in: .milliseconds(1)...HTTPRequest.longestTime, affects: .transfer,
        summary: "The maximum duration of an HTTP transfer, redirects included, from its turn in the loader's queue on."
    )

    /// The time for which a transfer may be slower than ``lowSpeedLimit``.
    public static let lowSpeedTime = ContextKey(
        "lowSpeedTime", default: .seconds(15), in: .seconds(1)...HTTPRequest.longestTime, affects: .transfer,
        summary: "The time that an HTTP transfer may be slower than `lowSpeedLimit`, in whole seconds.")
}

extension ContextKey where Value == Int {
    /// The speed below which a transfer is given up.
    public static let lowSpeedLimit = ContextKey(
        "lowSpeedLimit", default: 1000, in: 0...Int.max, affects: .transfer,
        summary: "Bytes a second below which an HTTP transfer is given up after `lowSpeedTime`; 0 for any speed.")

    /// The maximum number of redirects of a transfer.
    public static let maxRedirects = ContextKey(
        "maxRedirects", default: 5, in: 0...50, affects: [.transfer, .stored],
        summary: "The maximum number of redirects of an HTTP request, 0 to 50.")
}

extension ContextKey where Value == ProxyPolicy {
    /// The proxies that a request goes through.
    public static let proxyPolicy = ContextKey(
        "proxyPolicy", default: ProxyPolicy.none, affects: [.transfer, .stored],
        summary: "The proxies that an HTTP request goes through: none, or those of the environment.")
}

extension ContextKey where Value == CertificateAuthorities? {
    /// The certificate authorities that servers must be certified by; nil, the default, stands for those of the loader.
    public static let certificateAuthorities = ContextKey(
        "certificateAuthorities", affects: [.transfer, .stored],
        summary: "A PEM file with the authorities that HTTPS servers must be certified by; none: those of the loader.")
}

extension ContextKey where Value == HTTPStatusCodes {
    /// The statuses that count as success.
    public static let acceptableStatusCodes = ContextKey(
        "acceptableStatusCodes", default: .successful, affects: [.transfer, .stored],
        summary: "The HTTP statuses whose body is accepted as the image.")
}

extension ContextKey where Value == MediaTypes {
    /// The kinds of content that are taken.
    public static let acceptableContentTypes = ContextKey(
        "acceptableContentTypes", default: .all, affects: [.transfer, .stored],
        summary: "The accepted media types of an HTTP response; a response without one is accepted.")
}

extension ContextSetting {
    /// Sends these headers with the request, in place of the loader's own of the same names. Default: none.
    ///
    /// Values are secrets, except those of `Accept`, `Accept-Language` and `User-Agent`: they are in the request and in
    /// memory, in no message and no file, and are not sent on when a server redirects to another origin. Requests with
    /// other values share no load and no cache entry, unless an ``HTTPHeaders/Identity`` says otherwise. Headers that
    /// HTTP does not allow, and those that frame a message (`Content-Length` and the like), make the load throw
    /// `loadFailed`.
    public static func httpHeaders(_ headers: HTTPHeaders) -> ContextSetting { .set(.httpHeaders, to: headers) }
    /// Gives up when there is no connection after so long. Default: 10 s.
    public static func connectTimeout(_ time: Duration) -> ContextSetting { .set(.connectTimeout, to: time) }
    /// Gives up when the transfer has taken so long, redirects included. Waiting in the loader's queue does not count,
    /// nor does the time in which the transfer is paused because what has come waits to be taken. Default: 120 s.
    public static func transferTimeout(_ time: Duration) -> ContextSetting { .set(.transferTimeout, to: time) }
    /// Gives up on transfers of fewer bytes a second, after ``lowSpeedTime(_:)``; 0 never does. Default: 1000.
    public static func lowSpeedLimit(_ bytesPerSecond: Int) -> ContextSetting {
        .set(.lowSpeedLimit, to: bytesPerSecond)
    }
    /// Gives up on transfers that are slower than ``lowSpeedLimit(_:)`` for so long, in whole seconds. Default: 15 s.
    public static func lowSpeedTime(_ time: Duration) -> ContextSetting { .set(.lowSpeedTime, to: time) }
    /// Follows so many redirects, 0 to 50. Default: 5.
    public static func maxRedirects(_ count: Int) -> ContextSetting { .set(.maxRedirects, to: count) }
    /// Goes through the proxies that the policy names. Default: ``ProxyPolicy/none``.
    public static func proxyPolicy(_ policy: ProxyPolicy) -> ContextSetting { .set(.proxyPolicy, to: policy) }
    /// Trusts HTTPS servers that one of these authorities certifies, and no others. Default: those of the loader's
    /// ``CurlImageLoader/Configuration``.
    ///
    /// They hold for redirects too. A connection that was opened under other authorities is not used, and an image that
    /// was loaded under others is no answer.
    public static func certificateAuthorities(_ authorities: CertificateAuthorities) -> ContextSetting {
        .set(.certificateAuthorities, to: authorities)
    }
    /// Takes the body of these statuses for the image. Default: 200 to 299.
    public static func acceptableStatusCodes(_ codes: HTTPStatusCodes) -> ContextSetting {
        .set(.acceptableStatusCodes, to: codes)
    }
    /// Refuses answers that name another media type; those that name none are taken. Default: all are.
    public static func acceptableContentTypes(_ types: MediaTypes) -> ContextSetting {
        .set(.acceptableContentTypes, to: types)
    }
}
#endif
