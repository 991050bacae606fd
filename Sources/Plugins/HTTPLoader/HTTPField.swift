#if HTTP
import Calotype

/// One header.
struct HTTPField: Sendable, Equatable {
    /// As it is sent.
    let name: String
    /// The name as it is compared.
    let key: String
    let value: String

    /// Names of what may be shown to anybody, and sent on to anybody. What is behind all others may be secret.
    private static let openKeys: Set<String> = ["accept", "accept-language", "user-agent"]

    /// Names of what says where messages end and connections go, which is the loader's to say.
    private static let framingKeys: Set<String> = [
        "connection", "content-length", "expect", "keep-alive", "proxy-connection", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    init(name: String, value: String) {
        self.name = name
        key = name.lowercased()
        self.value = value.trimmingSpaces
    }

    /// Whether the value may be shown to anybody.
    var isOpen: Bool { Self.openKeys.contains(key) }

    /// By bytes, which are what is sent: Unicode takes texts for equal that servers do not.
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
    /// For messages and cache keys: the value, or a digest of it where it may be secret.
    var description: String {
        guard isOpen else { return "\(key): sha256-\(SHA256.hex(of: value, byteCount: 8))" }
        // The character that stands between headers is written in another way, so that no value looks like two headers.
        let needsEscapes = value.utf8.contains { $0 == UInt8(ascii: "|") || $0 == UInt8(ascii: "%") }
        guard needsEscapes else { return "\(key): \(value)" }
        // Not by characters: one that something is combined with is another.
        let text: String = value.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "|": escaped += "%7C"
            case "%": escaped += "%25"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return "\(key): \(text)"
    }
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

extension String {
    /// Without spaces and tabs at its ends.
    fileprivate var trimmingSpaces: String {
        let isBlank = { (character: Character) -> Bool in character == " " || character == "\t" }
        guard let start = firstIndex(where: { !isBlank($0) }), let end = lastIndex(where: { !isBlank($0) }) else {
            return ""
        }
        return String(self[start...end])
    }
}
#endif
