/// The facts about an HTTP response that a cache stores beside the body, to determine the freshness of the response
/// later.
///
/// ```swift
/// head.caching = HTTPCacheRecord(status: 200, requestedAt: start, receivedAt: end) { response.headers[$0] }
/// ```
///
/// The rules are those for a cache that serves a single user: directives for shared caches are ignored. Source: RFC
/// 9111.
public struct HTTPCacheRecord: Sendable, Hashable {
    let status: Int
    /// The time of receipt, in seconds since 1970.
    var receivedAt: Double
    /// The age of the response at its receipt, in seconds. Source: RFC 9111, section 4.2.3.
    var initialAge: Double
    /// The time at which the server wrote the response, in seconds since 1970 by the server's clock. If the server does
    /// not state a valid time, this is the time of receipt.
    var date: Double
    /// The time at which the response becomes stale, in seconds since 1970 by the server's clock. 0 for an invalid date
    /// (RFC 9111, section 5.3); nil if the response has no `Expires`.
    var expires: Double?
    /// The time of the last change of the image, in seconds since 1970 by the server's clock; nil if unknown.
    var lastModified: Double?
    /// A digest of the entity tag if the tag is strong; otherwise nil.
    var strongTag: String?
    /// The directives of `Cache-Control`, or else of `Pragma: no-cache`; nil if the response has neither.
    var control: CacheControl?
    /// The request fields by which the server chose the response; nil if the response is the same for every request.
    var vary: Vary?

    /// Creates the record of a response from its fields `Cache-Control`, `Expires`, `Date`, `Age`, `Pragma`, `Vary`,
    /// `Last-Modified` and `ETag`.
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - requestedAt: The time at which the request was sent, in seconds since 1970.
    ///   - receivedAt: The time at which the head of the response was received, in seconds since 1970.
    ///   - field: A closure that returns the value of the named field of the response, or nil if the response does not
    ///     have the field. The closure must ignore the case of the name. If a field has several lines, the closure must
    ///     join their values by commas.
    ///   - requestField: A closure that returns the value of the named field of the request, or nil if the request does
    ///     not have the field. The closure is called for the fields named in `Vary`. The values are later compared with
    ///     those of ``ImageLoader/requestField(_:for:)``. Only their digest is stored, but short values can be guessed
    ///     from the digest: never return a secret. Default: no fields.
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

    /// Returns the age of a response at its receipt, in seconds, from 0 to `Int.longestDeltaSeconds`. Source: RFC 9111,
    /// section 4.2.3.
    /// - Parameter stated: The value of the field `Age`; nil if there is none.
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
