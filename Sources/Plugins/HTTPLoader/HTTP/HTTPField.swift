#if HTTP
import Calotype

/// A header of a request.
struct HTTPField: Sendable, Equatable {
    /// The name as sent.
    let name: String
    /// The name in lower case, for comparisons.
    let key: String
    let value: String
    /// The identity that replaces the value in comparisons of requests; nil for none.
    let identity: HTTPHeaders.Identity?

    /// The names of headers whose values may be shown in messages and sent to other origins.
    private static let openKeys: Set<String> = ["accept", "accept-language", "user-agent"]

    /// The names of headers that only the loader may set, because they control message framing and connections.
    private static let framingKeys: Set<String> = [
        "connection", "content-length", "expect", "keep-alive", "proxy-connection", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    init(name: String, value: String, identity: HTTPHeaders.Identity? = nil) {
        self.name = name
        key = name.lowercased()
        self.value = String(value.trimmingBlanks)
        self.identity = identity
    }

    /// Whether the value may be shown in messages and sent to other origins.
    var isOpen: Bool { Self.openKeys.contains(key) }

    /// Returns whether two headers have the same name and value, byte for byte. Texts that Unicode treats as equal can
    /// be different for servers. The ``identity`` is not compared.
    static func == (one: HTTPField, other: HTTPField) -> Bool {
        one.name.isSame(as: other.name) && one.value.isSame(as: other.value)
    }

    /// The reason why the header cannot be sent, as a part of a sentence; nil if the header can be sent. The text does
    /// not contain the value of the header.
    ///
    /// Source: RFC 9110, sections 5.1, 5.5 and 5.6.2.
    var problem: String? {
        guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter) else {
            return "a name with a character that HTTP does not allow in names"
        }
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
            return "a line break or another control character in the value of '\(name)'"
        }
        return Self.framingKeys.contains(key) ? "'\(name)', which only the loader can set" : nil
    }

    /// The header line for libcurl. An empty value needs a semicolon, because libcurl removes a header without a value.
    var line: String { value.isEmpty ? "\(name);" : "\(name): \(value)" }
}

extension HTTPField: CustomStringConvertible {
    /// The header for messages. A value that may be secret is redacted.
    var description: String {
        switch identity {
        case .named(let name)?: "\(key): redacted, of \(name)"
        case .everyone?: "\(key): redacted, of everyone"
        case nil: isOpen ? "\(key): \(value)" : "\(key): redacted"
        }
    }

    /// The canonical text for comparisons of requests. An ``identity`` replaces the value. The text must stay in
    /// memory, because the value may be secret.
    var identityText: String {
        switch identity {
        case .named(let name)?: "\(key.headerEscaped)=\(name.headerEscaped)"
        case .everyone?: key.headerEscaped
        case nil: exactText
        }
    }

    /// The canonical text with the actual value. The text must stay in memory, because the value may be secret.
    var exactText: String { "\(key.headerEscaped):\(value.headerEscaped)" }
}

extension String {
    /// The text with escapes for the characters that separate names and values in the canonical text of headers.
    fileprivate var headerEscaped: String { escaping("|:=") }
}

extension UInt8 {
    /// Whether the byte may be part of a token, such as the name of a header (RFC 9110, section 5.6.2).
    var isTokenCharacter: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default:
            "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
#endif
