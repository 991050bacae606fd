/// The request header fields by which a server chose a response. Source: RFC 9111, section 4.1.
enum Vary: Sendable, Hashable {
    /// Unknown fields, as for `Vary: *`. The response must not be used for other requests.
    case unknown
    /// The names of the fields, in lower case and sorted, with a short digest of their values.
    case fields([String], digest: String)

    /// The maximum length of a `Vary` header, in bytes. A longer header counts as ``unknown``.
    private static let longestList = 160

    /// Creates the fields from the value of a `Vary` header. Returns nil if the value names no field.
    /// - Parameter requestField: Returns the value of the request field with a given name; nil if there is none.
    init?(_ text: String, of requestField: (_ name: String) -> String?) {
        guard text.utf8.count <= Self.longestList else {
            self = .unknown
            return
        }
        let members = text.lowercased().split(separator: ",").map { String($0.trimmingBlanks) }
        let names = Set(members).subtracting([""]).sorted()
        guard !names.isEmpty else { return nil }
        self = names.allSatisfy(Self.isName) ? .fields(names, digest: Self.digest(names, requestField)) : .unknown
    }

    /// Returns whether a request has the same values of these fields. Returns false if the fields are unknown.
    func matches(_ requestField: (_ name: String) -> String?) -> Bool {
        switch self {
        case .unknown: false
        case .fields(let names, let digest): Self.digest(names, requestField) == digest
        }
    }

    /// Returns the same field names with the values of another request. Unknown fields stay unknown.
    func chosen(by requestField: (_ name: String) -> String?) -> Vary {
        switch self {
        case .unknown: .unknown
        case .fields(let names, _): .fields(names, digest: Self.digest(names, requestField))
        }
    }

    private static func digest(_ names: [String], _ requestField: (String) -> String?) -> String {
        let fields = names.map { name in requestField(name).map { "\(name):\($0)" } ?? name }
        return SHA256.hex(of: fields.joined(separator: "\n"), byteCount: 8)
    }

    /// Returns whether a text consists of characters that field names have in practice. HTTP allows more.
    private static func isName(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                true
            default:
                false
            }
        }
    }
}

/// The text form of the fields, which is part of the stored text of a cache record.
extension Vary {
    var text: String {
        switch self {
        case .unknown: "*"
        case .fields(let names, let digest): "\(names.joined(separator: ",")):\(digest)"
        }
    }

    init?(text: Substring) {
        guard text != "*" else {
            self = .unknown
            return
        }
        let sides = text.split(separator: ":")
        guard sides.count == 2 else { return nil }
        self = .fields(sides[0].split(separator: ",").map { String($0) }, digest: String(sides[1]))
    }
}
