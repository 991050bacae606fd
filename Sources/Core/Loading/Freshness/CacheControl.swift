/// The directives of `Cache-Control` for a cache of a single user. Source: RFC 9111, section 5.2, and RFC 5861.
///
/// Directives that speak to shared caches (`s-maxage`, `proxy-revalidate`) say nothing here, nor does `immutable`,
/// which speaks of what a browser's reload does. Of two directives of one name the first counts; times that are none
/// count as zero (section 4.2.1), so that what is written badly is asked for again rather than used for too long.
struct CacheControl: Sendable, Hashable {
    /// `no-store`: must not be kept.
    var forbidsStoring = false
    /// `no-cache`: must not be used before the server has confirmed it. With names of fields it counts as without.
    var requiresValidation = false
    /// `must-revalidate`: must not be used once it is stale, whatever happens.
    var forbidsStaleUse = false
    /// `public` or `private`: may be kept, whatever its status.
    var allowsStoring = false
    /// `max-age`: for how many seconds it is fresh.
    var maxAge: Int?
    /// `stale-while-revalidate`: for how many seconds more it may be used while the server is asked.
    var staleWhileRevalidate: Int?
    /// `stale-if-error`: for how many seconds more it may be used when the server cannot answer.
    var staleIfError: Int?

    /// Creates the directives of a header's value, several lines joined by commas.
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

    /// The directives that count, from which the same value can be read.
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

    /// The parts between commas that stand in no quotes. Semicolons, which are not allowed, are taken for commas.
    private static func directives(of text: String) -> [Substring] {
        var isQuoted = false
        var isEscaped = false
        return text.utf8.split { byte in
            defer { isEscaped = isQuoted && !isEscaped && byte == UInt8(ascii: "\\") }
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            return (byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")) && !isQuoted
        }.map { Substring($0).trimmingBlanks }
    }

    /// Returns the number behind the equals sign, with or without quotes (section 5.2).
    private static func seconds(_ sides: [Substring]) -> Int {
        guard sides.count == 2 else { return 0 }
        var value = sides[1]
        if value.utf8.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
        return Int(deltaSeconds: value) ?? 0
    }
}
