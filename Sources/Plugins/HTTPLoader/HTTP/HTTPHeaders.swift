#if HTTP
import Calotype

/// Headers of a request, in the order in which they were given.
///
/// ```swift
/// var headers: HTTPHeaders = ["Authorization": "Bearer abc", "Accept-Language": "pt"]
/// headers["Accept"] = "image/webp"
/// ```
///
/// The case of names does not count, and of equal names the last wins. Two collections are equal when they say the
/// same, byte for byte, in whatever order. Any text can be put in; what HTTP does not allow is refused when a request
/// is made of it.
///
/// Headers tell requests apart: with another value, a request has loads and cache entries of its own. A token that
/// changes while the user stays gets an ``Identity``, which stands for the value there:
///
/// ```swift
/// let context: ImageContext = [.httpHeaders(.authorization("Bearer \(token)", identity: "user-17"))]
/// ```
public struct HTTPHeaders: Sendable {
    /// The owner of the pictures that a header gives access to. It distinguishes requests in place of the header's
    /// value.
    ///
    /// It is printed and written to disk caches, so it must not be a secret.
    public enum Identity: Sendable, Hashable, ExpressibleByStringLiteral {
        /// One owner, by a name that stays the same while the value changes. Requests with the same name share loads
        /// and cache entries, whichever value they send; requests with different names do not.
        case named(String)
        /// Everyone: each value of the header gives access to the same pictures. All requests share loads and cache
        /// entries.
        case everyone

        public init(stringLiteral name: String) { self = .named(name) }

        /// Compares names by bytes, as header values are compared.
        public static func == (one: Identity, other: Identity) -> Bool {
            switch (one, other) {
            case (.named(let one), .named(let other)): one.isSame(as: other)
            case (.everyone, .everyone): true
            case (.named, .everyone), (.everyone, .named): false
            }
        }
    }

    /// The fields in the order in which their names first appear.
    private(set) var fields: [HTTPField] = []

    /// No headers.
    public init() {}

    /// Headers from text: `Name: value` on each line; nil for no header, and for one that cannot be sent.
    public init?(text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            self[String(line[..<colon])] = String(line[line.index(after: colon)...])
        }
        guard !fields.isEmpty, fields.allSatisfy({ $0.problem == nil }) else { return nil }
    }

    /// The value of a header, without the spaces around it; nil for none, which also takes it away.
    public subscript(name: String) -> String? {
        get {
            let key = name.lowercased()
            return fields.first { $0.key == key }?.value
        }
        set {
            let field = HTTPField(name: name, value: newValue ?? "")
            let index = fields.firstIndex { $0.key == field.key }
            switch (index, newValue) {
            case (let index?, nil): fields.remove(at: index)
            case (let index?, _?): fields[index] = field
            case (nil, _?): fields.append(field)
            case (nil, nil): break
            }
        }
    }

    /// Sets a header whose value changes while the owner of the pictures stays the same.
    /// - Parameters:
    ///   - name: The name of the header.
    ///   - value: The value to send.
    ///   - identity: The identity that distinguishes requests in place of the value. Setting the header again removes
    ///     it.
    public mutating func set(_ name: String, to value: String, identity: Identity) {
        let field = HTTPField(name: name, value: value, identity: identity)
        if let index = fields.firstIndex(where: { $0.key == field.key }) {
            fields[index] = field
        } else {
            fields.append(field)
        }
    }

    /// Returns headers with an `Authorization` alone.
    /// - Parameters:
    ///   - value: The value to send, for example `Bearer` and a token.
    ///   - identity: The identity that distinguishes requests in place of the value.
    public static func authorization(_ value: String, identity: Identity) -> HTTPHeaders {
        var headers = HTTPHeaders()
        headers.set("Authorization", to: value, identity: identity)
        return headers
    }

    /// Returns the part that a cache may keep of a header by which an answer was chosen: the value unless it may be a
    /// secret, in which case the empty text. That is enough, since requests with other values have entries of their
    /// own.
    func choice(of name: String) -> String? {
        fields.first { $0.key == name.lowercased() }.map { $0.isOpen ? $0.value : "" }
    }

    /// Whether there are none.
    public var isEmpty: Bool { fields.isEmpty }

    /// These headers, and those of `others` whose names are not among them.
    func adding(_ others: HTTPHeaders) -> HTTPHeaders {
        guard !isEmpty else { return others }
        var sum = self
        for field in others.fields where self[field.name] == nil { sum.fields.append(field) }
        return sum
    }

    /// Throws `loadFailed` when one of them cannot be sent.
    func check(advice: String) throws(ImageError) {
        for case let problem? in fields.lazy.map(\.problem) {
            throw ImageError(.loadFailed, stage: .load, message: "the headers have \(problem)", advice: advice)
        }
    }

    /// Those that may be shown to anybody.
    var open: HTTPHeaders {
        var part = self
        part.fields.removeAll { !$0.isOpen }
        return part
    }

    private var sortedFields: [HTTPField] { fields.sorted { $0.key < $1.key } }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self[name] = value }
    }
}

extension HTTPHeaders: Hashable {
    public static func == (one: HTTPHeaders, other: HTTPHeaders) -> Bool {
        one.fields.count == other.fields.count
            && one.fields.allSatisfy { field in
                other.fields.contains {
                    $0.key.isSame(as: field.key) && $0.value.isSame(as: field.value) && $0.identity == field.identity
                }
            }
    }

    public func hash(into hasher: inout Hasher) {
        for field in sortedFields {
            hasher.combine(field.key)
            hasher.combine(field.value)
            hasher.combine(field.identity)
        }
    }
}

extension HTTPHeaders: CustomStringConvertible {
    /// The headers for messages: sorted, in one line, without values that may be secret; `none` without any.
    public var description: String { joined(\.description) }

    /// The headers for identities: canonical, with what tells them apart, which may be secret.
    var identityText: String { joined(\.identityText) }

    /// The headers for identities with all values.
    var exactText: String { joined(\.exactText) }

    private func joined(_ text: (HTTPField) -> String) -> String {
        fields.isEmpty ? "none" : sortedFields.map(text).joined(separator: " | ")
    }
}
#endif
