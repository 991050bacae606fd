/// The directives of `Cache-Control` for a cache of a single user. Source: RFC 9111, section 5.2, and RFC 5861.
///
/// Directives for shared caches are ignored, and so is `immutable`. If a directive occurs twice, the first one counts.
/// Invalid times count as zero (RFC 9111, section 4.2.1), so that the response is revalidated.
struct CacheControl: Sendable, Hashable {
    /// `no-store`: the response must not be stored.
    var forbidsStoring = false
    /// `no-cache`: the response must not be used before the server has confirmed it. The directive applies to the whole
    /// response, even if it names fields.
    var requiresValidation = false
    /// `must-revalidate`: a stale response must not be used, even if the server cannot be reached.
    var forbidsStaleUse = false
    /// `public` or `private`: the response may be stored, whatever its status.
    var allowsStoring = false
    /// `max-age`: the number of seconds for which the response is fresh; nil if absent.
    var maxAge: Int?
    /// `stale-while-revalidate`: the seconds for which a stale response may be used during revalidation; nil if absent.
    var staleWhileRevalidate: Int?
    /// `stale-if-error`: the seconds for which a stale response may be used if revalidation fails; nil if absent.
    var staleIfError: Int?

    /// Creates the directives from the value of the header. Values of several header lines must be joined by commas.
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

    /// The directives as text. Creating directives from the text gives an equal value.
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

    /// Returns the directives in a text. Semicolons, which HTTP does not allow here, count as commas.
    private static func directives(of text: String) -> [Substring] {
        var isQuoted = false
        var isEscaped = false
        return text.utf8.split { byte in
            defer { isEscaped = isQuoted && !isEscaped && byte == UInt8(ascii: "\\") }
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            return (byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")) && !isQuoted
        }.map { Substring($0).trimmingBlanks }
    }

    /// Returns the number of seconds of a directive, with or without quotes (RFC 9111, section 5.2); 0 if it is missing
    /// or invalid.
    /// - Parameter sides: The parts of the directive before and after the equals sign.
    private static func seconds(_ sides: [Substring]) -> Int {
        guard sides.count == 2 else { return 0 }
        var value = sides[1]
        if value.utf8.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
        return Int(deltaSeconds: value) ?? 0
    }
}
