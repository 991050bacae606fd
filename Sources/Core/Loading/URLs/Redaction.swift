/// A rule that removes possible secrets from a URL before it is shown. It applies to any text, because the subject of
/// an error need not be a URL.
///
/// - Users and passwords are removed, also from a text without a scheme (`me:password@host/path`) and from inner URLs
///   (`jar:http://me:password@host/path`).
/// - The value of a query parameter is shown if its name is known to be harmless and the value looks like a size, a
///   number or a word. All other values are replaced by `redacted`. So are parameters without a value, unless their
///   name is known to be harmless.
/// - The parameters in a path, which follow a `;`, are treated like those of the query.
/// - A percent-encoded URL in a segment of the path is treated like a URL. Image proxies use such URLs:
///   `https://proxy/https%3A%2F%2Fhost%2Fa.png%3Ftoken%3D1`.
/// - The fragment is removed.
struct Redaction: Sendable {
    /// The rule that shows only the values of parameters that the library knows to be harmless, such as `width`.
    static let standard = Redaction(showing: [])

    /// The text that replaces a value.
    static let mark = "redacted"

    private static let markBytes = Array(mark.utf8)

    /// The names of parameters that select a size, a format or the like, in lower case. Their values may be shown.
    private static let harmlessNames: Set<String> = [
        "auto", "crop", "dpr", "fit", "fm", "format", "frame", "gravity", "h", "height", "lang", "locale", "max-h",
        "max-w", "maxheight", "maxwidth", "mode", "orient", "page", "q", "quality", "rotate", "scale", "size", "v",
        "ver", "version", "w", "width",
    ]

    /// The names of parameters that authenticate a request, in lower case. They cannot be declared harmless.
    private static let secretNames: Set<String> = [
        "access_token", "api_key", "apikey", "auth", "auth_token", "authorization", "awsaccesskeyid", "client_secret",
        "code", "credential", "hmac", "jwt", "key", "key-pair-id", "ossaccesskeyid", "pass", "passwd", "password",
        "policy", "pwd", "secret", "session", "sessionid", "sid", "sig", "sign", "signature", "token",
        "x-amz-credential", "x-amz-security-token", "x-amz-signature", "x-goog-credential", "x-goog-signature",
        "x-oss-credential", "x-oss-signature",
    ]

    /// The maximum depth of percent-encoding at which an inner URL is still shown.
    private static let greatestDepth = 3

    /// The maximum length, in bytes, of a value that may be shown.
    private static let longestValue = 64

    private let names: Set<String>

    /// Creates a rule.
    /// - Parameter names: The additional names of parameters whose values may be shown. Their case does not matter.
    init(showing names: Set<String>) {
        self.names =
            names.isEmpty
            ? Self.harmlessNames
            : Self.harmlessNames.union(names.map { $0.lowercased() }).subtracting(Self.secretNames)
    }

    /// Returns a text with possible secrets removed or replaced.
    func text(of text: String) -> String {
        guard text.utf8.contains(where: { "?#;@%".utf8.contains($0) }) else { return text }
        return String(decoding: shown(of: Array(text.utf8), depth: 0), as: UTF8.self)
    }

    /// Returns a text with possible secrets removed or replaced.
    /// - Parameter depth: The number of times that the text has been percent-decoded.
    private func shown(of bytes: [UInt8], depth: Int) -> [UInt8] {
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        let start = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) ?? end
        var shown = withoutParameters(Self.withoutUsers(bytes[..<start]), depth: depth)
        if start < end {
            shown.append(UInt8(ascii: "?"))
            append(bytes[(start + 1)..<end], separatedBy: "&;", to: &shown)
        }
        return shown
    }

    /// Returns a text without the users and passwords of all URLs in it.
    private static func withoutUsers(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var shown: ArraySlice<UInt8> = []
        var rest = bytes
        while let start = startOfInnerAddress(in: rest) {
            shown += withoutUser(rest[..<start])
            rest = rest[start...]
        }
        return shown + withoutUser(rest)
    }

    /// Returns the position of the first URL that begins after the start of the text; nil if there is none.
    private static func startOfInnerAddress(in bytes: ArraySlice<UInt8>) -> Int? {
        for colon in bytes.indices.dropLast()
        where bytes[colon] == UInt8(ascii: ":") && bytes[colon + 1] == UInt8(ascii: "/") {
            var start = colon
            while start > bytes.startIndex, bytes[start - 1].isOfScheme { start -= 1 }
            if start > bytes.startIndex { return start }
        }
        return nil
    }

    /// Returns the scheme, host and path of a URL without user and password. In HTTP URLs, any number of slashes may
    /// precede the user, because programs accept more notations than the standard allows.
    private static func withoutUser(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var start = bytes.startIndex
        if let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[..<colon].allSatisfy(\.isOfScheme) {
            start = colon + 1
        }
        let scheme = String(decoding: bytes[..<start], as: UTF8.self).lowercased()
        let slashes = bytes[start...].prefix { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        // An inner address may be preceded by characters that look like a part of its scheme.
        if scheme.hasSuffix("http:") || scheme.hasSuffix("https:") {
            start += slashes.count
        } else if slashes.count >= 2 {
            start += 2
        } else {
            return withoutBareUser(bytes)
        }
        let authority = bytes[start...].prefix { $0 != UInt8(ascii: "/") }
        guard let mark = authority.lastIndex(of: UInt8(ascii: "@")) else { return bytes }
        return bytes[..<start] + bytes[(mark + 1)...]
    }

    /// Returns a text such as `me:password@host` without user and password. A URL parser would take the user for a
    /// scheme.
    ///
    /// An `@` before a scale in a file name, as in `asset:cat@2x.png`, does not end a password.
    private static func withoutBareUser(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let authority = bytes.prefix { $0 != UInt8(ascii: "/") }
        guard let mark = authority.lastIndex(of: UInt8(ascii: "@")), authority[..<mark].contains(UInt8(ascii: ":"))
        else { return bytes }
        let host = authority[(mark + 1)...]
        return host.endIndex == bytes.endIndex && isScale(host) ? bytes : bytes[(mark + 1)...]
    }

    /// Returns whether a text is the scale of a file name, such as `2x` or `2x.png`. Only extensions of image formats
    /// count, because a text such as `2x.com` may be a host.
    private static func isScale(_ name: ArraySlice<UInt8>) -> Bool {
        let rest = name.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard rest.count < name.count, rest.first == UInt8(ascii: "x") else { return false }
        let end = rest.dropFirst()
        guard end.first == UInt8(ascii: ".") else { return end.isEmpty }
        let fileExtension = String(decoding: end.dropFirst(), as: UTF8.self).lowercased()
        return ImageFormat.known.contains { $0.fileExtensions.contains(fileExtension) }
    }

    /// Returns a path with possible secrets redacted in its `;` parameters and percent-encoded URLs.
    private func withoutParameters(_ bytes: ArraySlice<UInt8>, depth: Int) -> [UInt8] {
        guard bytes.contains(where: { ";%".utf8.contains($0) }) else { return Array(bytes) }
        var shown: [UInt8] = []
        for (index, segment) in bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).enumerated()
        {
            if index > 0 { shown.append(UInt8(ascii: "/")) }
            let name = segment.prefix { $0 != UInt8(ascii: ";") }
            shown += withoutEscapedValues(name, depth: depth)
            guard name.endIndex < segment.endIndex else { continue }
            shown.append(UInt8(ascii: ";"))
            append(segment[(name.endIndex + 1)...], separatedBy: ";", to: &shown)
        }
        return shown
    }

    /// Returns a path segment with possible secrets redacted if it is a percent-encoded URL. `name` has no parameters.
    private func withoutEscapedValues(_ name: ArraySlice<UInt8>, depth: Int) -> [UInt8] {
        guard let plain = Self.unescaped(name) else { return Array(name) }
        guard depth < Self.greatestDepth else { return Self.markBytes }
        let shown = shown(of: plain, depth: depth + 1)
        return shown == plain ? Array(name) : Self.escaped(shown)
    }

    /// Decodes the percent-escapes in a text. Returns nil if the text has no percent-escapes.
    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        guard bytes.contains(UInt8(ascii: "%")) else { return nil }
        var plain: [UInt8] = []
        var rest = bytes
        while let byte = rest.first {
            if byte == UInt8(ascii: "%"), let high = rest.dropFirst().first?.digit,
                let low = rest.dropFirst(2).first?.digit
            {
                plain.append(high << 4 | low)
                rest = rest.dropFirst(3)
            } else {
                plain.append(byte)
                rest = rest.dropFirst()
            }
        }
        return plain.count < bytes.count ? plain : nil
    }

    /// Percent-encodes all bytes of a text except letters, digits and `-._~=&,`.
    private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return bytes.flatMap { byte in
            byte.isOfEncodedAddress ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }

    /// Appends parameters. Each value is redacted unless it may be shown.
    private func append(_ bytes: ArraySlice<UInt8>, separatedBy separators: String, to shown: inout [UInt8]) {
        var rest = bytes
        while true {
            let parameter = rest.prefix { !separators.utf8.contains($0) }
            append(parameter, to: &shown)
            guard parameter.endIndex < rest.endIndex else { return }
            shown.append(rest[parameter.endIndex])
            rest = rest[(parameter.endIndex + 1)...]
        }
    }

    /// Appends a parameter. Its value is redacted unless it may be shown.
    private func append(_ parameter: ArraySlice<UInt8>, to shown: inout [UInt8]) {
        let name = parameter.prefix { $0 != UInt8(ascii: "=") }
        let value = parameter.dropFirst(name.count + 1)
        let isHarmless = names.contains(String(decoding: name, as: UTF8.self).lowercased())
        if parameter.isEmpty || isHarmless && value.count <= Self.longestValue && value.allSatisfy(\.isOfPlainValue) {
            shown += parameter
        } else if value.allSatisfy({ $0 == UInt8(ascii: "=") }) {
            // A parameter without a value may be a secret itself, such as text in base 64, which can end with `=`.
            shown += Self.markBytes
        } else {
            shown += name
            shown.append(UInt8(ascii: "="))
            shown += Self.markBytes
        }
    }
}

extension UInt8 {
    private var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// Whether the byte may be part of a scheme (RFC 3986, section 3.1).
    fileprivate var isOfScheme: Bool { isLetterOrDigit || "+-.".utf8.contains(self) }
    /// Whether the byte stays as it is when a URL within a URL is percent-encoded.
    fileprivate var isOfEncodedAddress: Bool { isLetterOrDigit || "-._~=&,".utf8.contains(self) }

    /// The value of the byte as a hexadecimal digit, 0 to 15; nil if the byte is not a hexadecimal digit.
    fileprivate var digit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// Whether the byte may be part of a size, a number or a word.
    fileprivate var isOfPlainValue: Bool { isLetterOrDigit || "-._~,:*".utf8.contains(self) }
}
