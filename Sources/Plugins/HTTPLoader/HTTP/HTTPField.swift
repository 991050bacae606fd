#if HTTP
import Calotype

/// A header of a request.
struct HTTPField: Sendable, Equatable {
    /// The name as sent.
    let name: String
    /// The name in the form for comparisons.
    let key: String
    let value: String
    /// The identity that replaces the value in comparisons; nil for none.
    let identity: HTTPHeaders.Identity?

    /// The names whose values may be shown in messages and sent to other origins. All other values may be secret.
    private static let openKeys: Set<String> = ["accept", "accept-language", "user-agent"]

    /// The names that define the end of messages and the use of connections, which only the loader may set.
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

    /// Whether the value may be shown in messages.
    var isOpen: Bool { Self.openKeys.contains(key) }

    /// Compares bytes, as servers do. Unicode treats some different texts as equal.
    static func == (one: HTTPField, other: HTTPField) -> Bool {
        one.name.isSame(as: other.name) && one.value.isSame(as: other.value)
    }

    /// The reason why the header cannot be sent, as a clause without secrets; nil if it can be sent.
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

    /// The line for libcurl. A name with a colon and an empty value would remove the header, so that an empty value has
    /// a semicolon.
    var line: String { value.isEmpty ? "\(name);" : "\(name): \(value)" }
}

extension HTTPField: CustomStringConvertible {
    /// The header for messages: its name, and its value unless that may be secret. The ``identity``, if any, replaces
    /// the value.
    var description: String {
        switch identity {
        case .named(let name)?: "\(key): redacted, of \(name)"
        case .everyone?: "\(key): redacted, of everyone"
        case nil: isOpen ? "\(key): \(value)" : "\(key): redacted"
        }
    }

    /// The canonical text for identities, which stays in memory. The ``identity``, if any, replaces the value.
    var identityText: String {
        switch identity {
        case .named(let name)?: "\(key.headerEscaped)=\(name.headerEscaped)"
        case .everyone?: key.headerEscaped
        case nil: exactText
        }
    }

    /// The canonical text for identities with the value, even if there is an ``identity``. It stays in memory.
    var exactText: String { "\(key.headerEscaped):\(value.headerEscaped)" }
}

extension String {
    /// The text, escaped for the identity of headers.
    fileprivate var headerEscaped: String { escaping("|:=") }
}

extension UInt8 {
    /// Whether a token may contain the byte (RFC 9110, section 5.6.2).
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
