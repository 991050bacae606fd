#if HTTP
public import Calotype

extension ContextKey where Value == HTTPHeaders {
    /// The headers that are sent with a request. Default: none.
    public static let httpHeaders = ContextKey(
        "httpHeaders", default: HTTPHeaders(), affects: [.transfer, .stored],
        summary: "The headers of an HTTP request; each name occurs once, and replaces the loader's own.",
        syntax: "one 'Name: value' on each line",
        parse: { HTTPHeaders(text: $0) }, describe: { $0.description }, identity: { $0.identityText },
        exact: { $0.exactText })
}

extension ContextKey where Value == Duration {
    /// The maximum time for opening a connection: name resolution, connecting and the TLS handshake. Default: 10 s.
    public static let connectTimeout = ContextKey(
        "connectTimeout", default: .seconds(10), in: .milliseconds(1)...HTTPRequest.longestTime, affects: .transfer,
        summary: "The maximum duration of name resolution, connecting and the TLS handshake.")

    /// The maximum duration of a transfer, including redirects but not its wait in the loader's queue. Default: 120 s.
    public static let transferTimeout = ContextKey(
        "transferTimeout", default: .seconds(120), in: .milliseconds(1)...HTTPRequest.longestTime, affects: .transfer,
        summary: "The maximum duration of an HTTP transfer, redirects included, from its turn in the loader's queue on."
    )

    /// The time for which a transfer may be slower than ``lowSpeedLimit``, rounded up to whole seconds. Default: 15 s.
    public static let lowSpeedTime = ContextKey(
        "lowSpeedTime", default: .seconds(15), in: .seconds(1)...HTTPRequest.longestTime, affects: .transfer,
        summary: "The time that an HTTP transfer may be slower than `lowSpeedLimit`, in whole seconds.")
}

extension ContextKey where Value == Int {
    /// The minimum speed of a transfer, in bytes per second. A transfer that is slower for ``lowSpeedTime`` fails. 0
    /// disables the check. Default: 1000.
    public static let lowSpeedLimit = ContextKey(
        "lowSpeedLimit", default: 1000, in: 0...Int.max, affects: .transfer,
        summary: "Bytes per second below which an HTTP transfer ends after `lowSpeedTime`; 0: any speed.")

    /// The maximum number of redirects of a transfer, 0 to 50. Default: 5.
    public static let maxRedirects = ContextKey(
        "maxRedirects", default: 5, in: 0...50, affects: [.transfer, .stored],
        summary: "The maximum number of redirects of an HTTP request, 0 to 50.")
}

extension ContextKey where Value == ProxyPolicy {
    /// The proxies that a request goes through. Default: ``ProxyPolicy/none``.
    public static let proxyPolicy = ContextKey(
        "proxyPolicy", default: ProxyPolicy.none, affects: [.transfer, .stored],
        summary: "The proxies that an HTTP request goes through: none, or those of the environment.")
}

extension ContextKey where Value == CertificateAuthorities? {
    /// The certificate authorities that are trusted to certify HTTPS servers. Default: nil, for the authorities of the
    /// loader.
    public static let certificateAuthorities = ContextKey(
        "certificateAuthorities", affects: [.transfer, .stored],
        summary: "A PEM file with the authorities that HTTPS servers must be certified by; none: those of the loader.")
}

extension ContextKey where Value == HTTPStatusCodes {
    /// The HTTP statuses whose body is accepted as an image. Default: 200 to 299.
    public static let acceptableStatusCodes = ContextKey(
        "acceptableStatusCodes", default: .successful, affects: [.transfer, .stored],
        summary: "The HTTP statuses whose body is accepted as the image.")
}

extension ContextKey where Value == MediaTypes {
    /// The accepted media types of responses. A response without a media type is always accepted. Default: all types.
    public static let acceptableContentTypes = ContextKey(
        "acceptableContentTypes", default: .all, affects: [.transfer, .stored],
        summary: "The accepted media types of an HTTP response; a response without one is accepted.")
}

extension ContextSetting {
    /// Sets the headers that are sent with the request. They replace the loader's own headers of the same names.
    /// Default: none.
    ///
    /// Values are secret, except those of `Accept`, `Accept-Language` and `User-Agent`. Secret values are kept in
    /// memory, but are not shown in messages, written to files, or sent to another origin after a redirect. Requests
    /// with different values share neither loads nor cache entries, unless an ``HTTPHeaders/Identity`` replaces the
    /// values.
    ///
    /// A load throws `loadFailed` if HTTP does not allow a header, or if only the loader may set it (such as
    /// `Content-Length`).
    public static func httpHeaders(_ headers: HTTPHeaders) -> ContextSetting { .set(.httpHeaders, to: headers) }
    /// Sets the maximum time for opening a connection: name resolution, connecting and the TLS handshake. A load that
    /// takes longer throws `timedOut`. Default: 10 s.
    public static func connectTimeout(_ time: Duration) -> ContextSetting { .set(.connectTimeout, to: time) }
    /// Sets the maximum duration of a transfer, including redirects. A load that takes longer throws `timedOut`.
    /// Default: 120 s.
    ///
    /// The wait in the loader's queue does not count, and neither does the time during which back-pressure pauses the
    /// transfer.
    public static func transferTimeout(_ time: Duration) -> ContextSetting { .set(.transferTimeout, to: time) }
    /// Sets the minimum speed of a transfer, in bytes per second. A transfer that is slower for the time set by
    /// ``lowSpeedTime(_:)`` throws `timedOut`. 0 disables the check. Default: 1000.
    public static func lowSpeedLimit(_ bytesPerSecond: Int) -> ContextSetting {
        .set(.lowSpeedLimit, to: bytesPerSecond)
    }
    /// Sets the time for which a transfer may be slower than ``lowSpeedLimit(_:)``, rounded up to whole seconds.
    /// Default: 15 s.
    public static func lowSpeedTime(_ time: Duration) -> ContextSetting { .set(.lowSpeedTime, to: time) }
    /// Sets the maximum number of redirects of a transfer, 0 to 50. Default: 5.
    public static func maxRedirects(_ count: Int) -> ContextSetting { .set(.maxRedirects, to: count) }
    /// Sets the proxies that a request goes through. Default: ``ProxyPolicy/none``.
    public static func proxyPolicy(_ policy: ProxyPolicy) -> ContextSetting { .set(.proxyPolicy, to: policy) }
    /// Sets the certificate authorities that are trusted to certify HTTPS servers. Default: the authorities of the
    /// loader's ``CurlImageLoader/Configuration``.
    ///
    /// The authorities also apply to redirects. Connections and images of requests with other authorities are not
    /// reused.
    public static func certificateAuthorities(_ authorities: CertificateAuthorities) -> ContextSetting {
        .set(.certificateAuthorities, to: authorities)
    }
    /// Sets the HTTP statuses whose body is accepted as an image. Default: 200 to 299.
    public static func acceptableStatusCodes(_ codes: HTTPStatusCodes) -> ContextSetting {
        .set(.acceptableStatusCodes, to: codes)
    }
    /// Sets the accepted media types of responses. A response without a media type is always accepted. Default: all
    /// types.
    public static func acceptableContentTypes(_ types: MediaTypes) -> ContextSetting {
        .set(.acceptableContentTypes, to: types)
    }
}
#endif
