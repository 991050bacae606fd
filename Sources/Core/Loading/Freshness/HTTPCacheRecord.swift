/// The part of an HTTP response that a cache stores beside the body, to judge its freshness later.
///
/// ```swift
/// head.caching = HTTPCacheRecord(status: 200, requestedAt: start, receivedAt: end) { response.headers[$0] }
/// ```
///
/// The rules are those for a cache that serves a single user: directives for shared caches are ignored. Source: RFC
/// 9111.
public struct HTTPCacheRecord: Sendable, Hashable {
    let status: Int
    /// The time of receipt, in seconds since 1970, like all times here.
    var receivedAt: Double
    /// The age in seconds at that time. Source: RFC 9111, section 4.2.3.
    var initialAge: Double
    /// The time at which the server wrote the response, by the server's clock; the time of receipt if the server does
    /// not state it.
    var date: Double
    /// The time at which the response becomes stale, by the server's clock; 1970 for an invalid date (RFC 9111, section
    /// 5.3).
    var expires: Double?
    /// The time at which the image was changed, by the server's clock.
    var lastModified: Double?
    /// A digest of the entity tag, if it is a strong one.
    var strongTag: String?
    /// The directives of `Cache-Control`; nil if there are none.
    var control: CacheControl?
    /// The request fields that the response depends on; nil if it is the same for every request.
    var vary: Vary?

    /// Creates the record of a response from `Cache-Control`, `Expires`, `Date`, `Age`, `Pragma`, `Vary`,
    /// `Last-Modified` and `ETag`.
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - requestedAt: The time at which the request was sent, in seconds since 1970.
    ///   - receivedAt: The time at which the head of the response was received, in seconds since 1970.
    ///   - field: Returns the value of the response's field with a name, whose case does not matter. Several lines are
    ///     joined by commas. Nil if there is none.
    ///   - requestField: Returns the same for the request's fields that the response depends on. Later the values are
    ///     compared with those of ``ImageLoader/requestField(_:for:)``. A digest of the values is stored, from which a
    ///     short value can be guessed: never return a secret. Default: no fields.
    public init(
        status: Int, requestedAt: Double, receivedAt: Double, field: (_ name: String) -> String?,
        requestField: (_ name: String) -> String? = { _ in nil }
    ) {
        let received = HTTPDate.bounded(receivedAt)
        func time(_ name: String) -> Double? { field(name).flatMap { HTTPDate($0, at: received)?.seconds } }
        let date = time("Date") ?? received
        self.status = status
        self.receivedAt = received
        self.date = date
        initialAge = Self.initialAge(
            stated: field("Age"), written: date, requested: HTTPDate.bounded(requestedAt), received: received)
        expires = field("Expires").map { HTTPDate($0, at: received)?.seconds ?? 0 }
        lastModified = time("Last-Modified")
        strongTag = field("ETag").flatMap { $0.hasPrefix("\"") ? SHA256.hex(of: $0, byteCount: 8) : nil }
        // No specification defines `Pragma` in a response, but servers that send it mean this.
        let pragma = field("Pragma").map { CacheControl($0) }
        control = field("Cache-Control").map { CacheControl($0) } ?? (pragma?.requiresValidation == true ? pragma : nil)
        vary = field("Vary").flatMap { Vary($0, of: requestField) }
    }

    /// Returns the age of a response when it was received: the age that caches on its way state, or the difference
    /// between the clocks, whichever is greater. A server clock that is ahead does not yield a negative age.
    private static func initialAge(
        stated: String?, written: Double, requested: Double, received: Double
    ) -> Double {
        // The first value of a list counts (RFC 9111, section 5.1).
        let first = stated?.split(separator: ",").first?.trimmingBlanks
        let age = Double(first.flatMap { Int(deltaSeconds: $0) } ?? 0)
        let corrected = age + max(0, received - requested)
        return min(max(received - written, corrected), Double(Int.longestDeltaSeconds))
    }
}
