#if HTTP
import Calotype

/// One header.
struct HTTPField: Sendable, Equatable {
    /// The name as it is sent.
    let name: String
    /// The name as it is compared.
    let key: String
    let value: String
    /// The identity that stands for the value; nil if none was given.
    let identity: HTTPHeaders.Identity?

    /// Names of what may be shown to anybody, and sent on to anybody. What is behind all others may be secret.
    private static let openKeys: Set<String> = ["accept", "accept-language", "user-agent"]

    /// Names of what says where messages end and connections go, which is the loader's to say.
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

    /// Whether the value may be shown to anybody.
    var isOpen: Bool { Self.openKeys.contains(key) }

    /// Compares bytes, which are what is sent: Unicode takes texts for equal that servers do not.
    static func == (one: HTTPField, other: HTTPField) -> Bool {
        one.name.isSame(as: other.name) && one.value.isSame(as: other.value)
    }

    /// Why it cannot be sent, in half a sentence that tells no secret; nil when it can.
    ///
    /// Source: RFC 9110, sections 5.1, 5.5 and 5.6.2.
    var problem: String? {
        guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter) else {
            return "a name with a character that HTTP does not allow there"
        }
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
            return "a line break or another control character in the value of '\(name)'"
        }
        return Self.framingKeys.contains(key) ? "'\(name)', which the loader alone can set" : nil
    }

    /// The line for libcurl, to which a name with a colon and nothing behind it means another thing.
    var line: String { value.isEmpty ? "\(name);" : "\(name): \(value)" }
}

extension HTTPField: CustomStringConvertible {
    /// The header for messages: its name, and its value unless that may be a secret. An ``identity`` takes the place of
    /// the value.
    var description: String {
        switch identity {
        case .named(let name)?: "\(key): redacted, of \(name)"
        case .everyone?: "\(key): redacted, of everyone"
        case nil: isOpen ? "\(key): \(value)" : "\(key): redacted"
        }
    }

    /// The canonical text for identities, which stays in memory. The ``identity`` takes the place of the value, if
    /// there is one.
    var identityText: String {
        switch identity {
        case .named(let name)?: "\(key.headerEscaped)=\(name.headerEscaped)"
        case .everyone?: key.headerEscaped
        case nil: exactText
        }
    }

    /// The canonical text for identities with the value in every case. It stays in memory.
    var exactText: String { "\(key.headerEscaped):\(value.headerEscaped)" }
}

extension String {
    /// The text as a part of the identity of headers.
    fileprivate var headerEscaped: String { escaping("|:=") }
}

extension UInt8 {
    /// Whether the byte may stand in a token (RFC 9110, section 5.6.2).
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
