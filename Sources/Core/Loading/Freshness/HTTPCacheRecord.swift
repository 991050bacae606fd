/// The part of an HTTP response that a cache keeps beside the body, to judge its freshness later.
///
/// ```swift
/// head.caching = HTTPCacheRecord(status: 200, requestedAt: start, receivedAt: end) { response.headers[$0] }
/// ```
///
/// The rules are those for a cache that serves one user alone: what only speaks to shared caches is passed over.
/// Source: RFC 9111.
public struct HTTPCacheRecord: Sendable, Hashable {
    let status: Int
    /// The time of receipt, in seconds since 1970, as are all times here.
    var receivedAt: Double
    /// The age in seconds at that time. Source: RFC 9111, section 4.2.3.
    var initialAge: Double
    /// The time at which the server wrote the answer, by the server's clock; the time of receipt if the server does not
    /// say.
    var date: Double
    /// The time at which the answer ceases to be fresh, by the server's clock; 1970 for a date that is none (RFC 9111,
    /// section 5.3).
    var expires: Double?
    /// The time at which the image was changed, by the server's clock.
    var lastModified: Double?
    /// A digest of its entity tag, where that is a strong one.
    var strongTag: String?
    /// Nil if nothing is said.
    var control: CacheControl?
    /// Nil if it would be the same for every request.
    var vary: Vary?

    /// The record of an answer: `Cache-Control`, `Expires`, `Date`, `Age`, `Pragma`, `Vary`, `Last-Modified` and `ETag`
    /// are taken from it.
    /// - Parameters:
    ///   - status: Its status.
    ///   - requestedAt: When the request was sent, in seconds since 1970.
    ///   - receivedAt: When the answer's head had come, in seconds since 1970.
    ///   - field: The value of the answer's field of a name, the case of which does not count; several lines joined by
    ///     commas. Nil if there is none.
    ///   - requestField: The same for the request's fields, asked for those that the answer depends on; what the loader
    ///     says of them later (``ImageLoader/requestField(_:for:)``) is held against it. Of the values a digest is
    ///     kept, from which a short one can be guessed: let none be a secret. Default: the request had none.
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
        // Nobody ever said what it means in an answer, but those who send it mean this.
        let pragma = field("Pragma").map { CacheControl($0) }
        control = field("Cache-Control").map { CacheControl($0) } ?? (pragma?.requiresValidation == true ? pragma : nil)
        vary = field("Vary").flatMap { Vary($0, of: requestField) }
    }

    /// Returns the age of an answer when it was received: what caches on its way say, or the difference of the clocks,
    /// whichever is more. A server's clock that is ahead makes nothing younger than new.
    private static func initialAge(
        stated: String?, written: Double, requested: Double, received: Double
    ) -> Double {
        // Of a list the first counts (RFC 9111, section 5.1).
        let first = stated?.split(separator: ",").first?.trimmingBlanks
        let age = Double(first.flatMap { Int(deltaSeconds: $0) } ?? 0)
        let corrected = age + max(0, received - requested)
        return min(max(received - written, corrected), Double(Int.longestDeltaSeconds))
    }
}
