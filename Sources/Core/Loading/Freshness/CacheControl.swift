/// The directives of `Cache-Control` for a cache of a single user. Source: RFC 9111, section 5.2, and RFC 5861.
///
/// Directives for shared caches (`s-maxage`, `proxy-revalidate`) are ignored, and so is `immutable`, which concerns the
/// reload of a browser. Of two directives with one name the first counts. Invalid times count as zero (section 4.2.1),
/// so that a response with errors is revalidated rather than used for too long.
struct CacheControl: Sendable, Hashable {
    /// `no-store`: the response must not be stored.
    var forbidsStoring = false
    /// `no-cache`: the response must not be used before the server has confirmed it. Field names in the directive are
    /// ignored.
    var requiresValidation = false
    /// `must-revalidate`: the response must not be used once it is stale, whatever happens.
    var forbidsStaleUse = false
    /// `public` or `private`: the response may be stored, whatever its status.
    var allowsStoring = false
    /// `max-age`: the number of seconds for which the response is fresh.
    var maxAge: Int?
    /// `stale-while-revalidate`: the number of additional seconds for which it may be used while the server is asked.
    var staleWhileRevalidate: Int?
    /// `stale-if-error`: the number of additional seconds for which it may be used if the server cannot answer.
    var staleIfError: Int?

    /// Creates the directives of a header's value. Several lines are joined by commas.
    init(_ text: String) {
        for directive in Self.directives(of: text) {
            let sides = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            switch sides[0].lowercased().trimmingBlanks {
            case "no-store": forbidsStoring = true
            case "no-cache": requiresValidation = true
            case "must-revalidate": forbidsStaleUse = true
            case "public", "private": allowsStoring = true
            case "max-age": maxAge = maxAge ?? Self.seconds(sides)
            case "stale-while-revalidate": staleWhileRevalidate = staleWhileRevalidate ?? Self.seconds(sides)
            case "stale-if-error": staleIfError = staleIfError ?? Self.seconds(sides)
            default: break
            }
        }
    }

    /// The relevant directives as text, from which an equal value can be read.
    var text: String {
        let marks = [
            (forbidsStoring, "no-store"), (requiresValidation, "no-cache"), (forbidsStaleUse, "must-revalidate"),
            (allowsStoring, "private"),
        ]
        let times = [
            ("max-age", maxAge), ("stale-while-revalidate", staleWhileRevalidate), ("stale-if-error", staleIfError),
        ]
        let said = marks.compactMap { isSaid, name in isSaid ? name : nil }
        return (said + times.compactMap { name, seconds in seconds.map { "\(name)=\($0)" } }).joined(separator: ",")
    }

    /// Returns the parts between commas outside quotes. Semicolons, which are not allowed, count as commas.
    private static func directives(of text: String) -> [Substring] {
        var isQuoted = false
        var isEscaped = false
        return text.utf8.split { byte in
            defer { isEscaped = isQuoted && !isEscaped && byte == UInt8(ascii: "\\") }
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            return (byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")) && !isQuoted
        }.map { Substring($0).trimmingBlanks }
    }

    /// Returns the number after the equals sign, with or without quotes (section 5.2).
    private static func seconds(_ sides: [Substring]) -> Int {
        guard sides.count == 2 else { return 0 }
        var value = sides[1]
        if value.utf8.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
        return Int(deltaSeconds: value) ?? 0
    }
}
