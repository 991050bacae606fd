extension URL {
    /// The URL in its normal form, which is the same for all equivalent spellings; nil if the URL cannot be parsed.
    /// Source: RFC 3986, sections 6.2.2 and 6.2.3.
    ///
    /// The path of a `file` URL is not changed, because `..` after a symbolic link has another meaning.
    var normalForm: URLComponents? {
        guard var parts = URLComponents(url: absoluteURL, resolvingAgainstBaseURL: true) else { return nil }
        parts.scheme = parts.scheme?.lowercased()
        parts.fragment = nil
        let path = parts.percentEncodedPath
        // A URL without a host whose path does not begin with `/` is opaque: a data URI, or a name in an unknown
        // format.
        guard parts.host != nil || path.hasPrefix("/") else { return parts }
        if let host = parts.percentEncodedHost { parts.percentEncodedHost = host.lowercased() }
        if parts.scheme == "http" && parts.port == 80 || parts.scheme == "https" && parts.port == 443 {
            parts.port = nil
        }
        if parts.scheme != "file" { parts.percentEncodedPath = path.normalizedEscapes.withoutDotSegments }
        if parts.percentEncodedPath.isEmpty { parts.percentEncodedPath = "/" }
        parts.percentEncodedQuery = parts.percentEncodedQuery?.normalizedEscapes
        return parts
    }

    /// The URL in its normal form. The URL itself if it is a data URI or has no normal form.
    var normalized: URL { isInNormalForm || isDataURI ? self : normalForm?.url ?? self }

    /// Whether a quick check shows that the URL is in its normal form and has neither user nor query. Such a URL need
    /// not be parsed. Parsing costs more than all other steps of resolving a request.
    private var isInNormalForm: Bool {
        guard baseURL == nil else { return false }
        var text = absoluteString
        return text.withUTF8 { text in
            guard let start = ["https://", "http://"].first(where: { text.starts(with: $0.utf8) })?.utf8.count,
                let slash = text[start...].firstIndex(of: UInt8(ascii: "/")), slash > start,
                text[start..<slash].allSatisfy(\.isOfPlainHost)
            else { return false }
            var last: UInt8 = 0
            for byte in text[slash...] {
                guard byte.isOfPlainPath, !(last == UInt8(ascii: "/") && byte == UInt8(ascii: ".")) else {
                    return false
                }
                last = byte
            }
            return true
        }
    }

    /// The URL for messages and events, with possible secrets removed: see ``Redaction``.
    package var redacted: String { redacted(showing: []) }

    /// Returns the URL for messages and events, with possible secrets removed.
    /// - Parameter names: The names of additional parameters whose values may be shown.
    func redacted(showing names: Set<String>) -> String {
        if let content = dataURIContent {
            let type = content.firstIndex(of: ",").map { content[..<$0].prefix(64) } ?? ""
            return "data:\(type),... (\(content.utf8.count + "data:".count) characters)"
        }
        let text = isInNormalForm ? absoluteString : normalForm?.string ?? absoluteString
        return (names.isEmpty ? Redaction.standard : Redaction(showing: names)).text(of: text)
    }

    /// The URL as text for cache keys, without user and password. A digest replaces a data URI. The query may contain
    /// secrets, so the text must not be printed or stored.
    var keyText: String {
        if let content = dataURIContent { return "data:sha256-\(SHA256.hex(of: String(content)))" }
        if isInNormalForm { return absoluteString }
        var parts = normalForm
        parts?.removeUser()
        return parts?.string ?? absoluteString
    }

    /// Whether the URL is a data URI, which contains the image itself (RFC 2397).
    var isDataURI: Bool { scheme?.lowercased() == "data" }

    /// Whether loaders are asked for the version of the data before a load. False for `http` and `https`, because
    /// servers state it during a load, and for data URIs, which never change.
    var mayHaveLocalVersion: Bool {
        let text = absoluteString
        return !(text.hasPrefix("https:") || text.hasPrefix("http:") || text.hasPrefix("data:"))
    }

    /// The text of a data URI after the scheme, without the fragment; nil for other URLs.
    private var dataURIContent: Substring? {
        guard isDataURI else { return nil }
        return absoluteString.drop { $0 != ":" }.dropFirst().prefix { $0 != "#" }
    }

    /// The user and password in the URL; nil if it has neither. They are part of a request's identity, so that users do
    /// not receive each other's images.
    var userIdentity: IdentityText? {
        guard !isInNormalForm, !isDataURI, let parts = normalForm, parts.user != nil || parts.password != nil else {
            return nil
        }
        // An escaped user contains no colon, so the first colon separates user and password.
        let text = "\(parts.percentEncodedUser ?? ""):\(parts.percentEncodedPassword ?? "")"
        return IdentityText(full: text, shown: Redaction.mark, exact: text)
    }
}

extension URL {
    /// Creates a URL from text, which may be a data URI. Returns nil if the text is not a URL with a scheme.
    init?(requestText text: String) {
        guard let url = URL(dataURI: text) ?? URL(string: text), url.scheme != nil else { return nil }
        self = url
    }

    /// Creates a URL from a text that begins with `data:`, in any case. Returns nil for other texts.
    ///
    /// Invalid characters are percent-escaped. Existing escapes are kept, while `URL(string:)` would escape them again.
    init?(dataURI text: String) {
        guard text.prefix(5).lowercased() == "data:" else { return nil }
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        func isLetter(_ byte: UInt8, upTo last: Character) -> Bool {
            (0x61...last.asciiValue!).contains(byte | 0x20)
        }
        func isHexadecimal(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte, upTo: "f") }
        let marks = Set("-._~:/?#[]@!$&'()*+,;=".utf8)
        let bytes = Array(text.utf8)
        var escaped: [UInt8] = []
        escaped.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            let beginsEscape =
                byte == UInt8(ascii: "%") && bytes.count > index + 2
                && bytes[index + 1...index + 2].allSatisfy(isHexadecimal)
            if isDigit(byte) || isLetter(byte, upTo: "z") || marks.contains(byte) || beginsEscape {
                escaped.append(byte)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                escaped += "%\(digits.count == 1 ? "0" : "")\(digits)".utf8
            }
        }
        self.init(string: String(decoding: escaped, as: UTF8.self), encodingInvalidCharacters: false)
    }
}

extension URLComponents {
    fileprivate mutating func removeUser() {
        // Setting nil on a URL without a user would add an empty authority.
        if user != nil { user = nil }
        if password != nil { password = nil }
    }
}

extension String {
    /// The text with all percent-escapes in upper case, and with escapes of unreserved characters decoded (RFC 3986,
    /// section 2.3).
    fileprivate var normalizedEscapes: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return self }
        var result: [UInt8] = []
        var bytes = Array(utf8)[...]
        while let byte = bytes.popFirst() {
            let digits = String(decoding: bytes.prefix(2), as: UTF8.self)
            guard byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else {
                result.append(byte)
                continue
            }
            bytes = bytes.dropFirst(2)
            let isUnreserved = Character(UnicodeScalar(value)).isUnreserved
            result += isUnreserved ? [value] : Array("%\(digits.uppercased())".utf8)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The path without `.` and `..` segments (RFC 3986, section 5.2.4).
    fileprivate var withoutDotSegments: String {
        guard contains("/.") else { return self }
        var kept: [Substring] = []
        let segments = split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".":
                if isLast { kept.append("") }
            case "..":
                if kept.count > 1 { kept.removeLast() }
                if isLast { kept.append("") }
            default:
                kept.append(segment)
            }
        }
        return kept.joined(separator: "/")
    }
}

extension UInt8 {
    private static let plainHost = table("-.0123456789abcdefghijklmnopqrstuvwxyz")
    private static let plainPath = table(
        "!$&'()*+,-./0123456789:;=@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~")

    private static func table(_ bytes: String) -> [Bool] {
        let known = Set(bytes.utf8)
        return (UInt8.min...UInt8.max).map(known.contains)
    }

    /// Whether the byte is allowed in a host, and normalization does not change it.
    fileprivate var isOfPlainHost: Bool { Self.plainHost[Int(self)] }
    /// Whether the byte is allowed in a path, and normalization does not change it except in dot segments.
    fileprivate var isOfPlainPath: Bool { Self.plainPath[Int(self)] }
}

extension Character {
    fileprivate var isUnreserved: Bool {
        isASCII && (isLetter || isNumber || self == "-" || self == "." || self == "_" || self == "~")
    }
}
