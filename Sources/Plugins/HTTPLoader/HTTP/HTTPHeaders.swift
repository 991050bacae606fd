#if HTTP
import Calotype

/// The headers of a request, in insertion order.
///
/// ```swift
/// var headers: HTTPHeaders = ["Authorization": "Bearer abc", "Accept-Language": "pt"]
/// headers["Accept"] = "image/webp"
/// ```
///
/// Names are case-insensitive. If a name is set several times, the last value counts. Two collections are equal if they
/// contain the same headers in any order; values are compared byte by byte. Any text can be set, but a load with
/// headers that HTTP does not allow throws `loadFailed`.
///
/// Headers distinguish requests: requests with different values have separate loads and cache entries. For a token that
/// changes while the user stays the same, set an ``Identity``, which replaces the value in comparisons:
///
/// ```swift
/// let context: ImageContext = [.httpHeaders(.authorization("Bearer \(token)", identity: "user-17"))]
/// ```
public struct HTTPHeaders: Sendable {
    /// The owner of the images that a header gives access to. The identity replaces the header's value in comparisons
    /// of requests.
    ///
    /// The identity is printed and written to disk caches, so it must not be a secret.
    public enum Identity: Sendable, Hashable, ExpressibleByStringLiteral {
        /// A single owner, identified by a name that stays the same when the value changes. Requests with the same name
        /// share loads and cache entries, whatever values they send. Requests with different names do not.
        case named(String)
        /// All users: each value of the header gives access to the same images. All requests with this identity share
        /// loads and cache entries.
        case everyone

        public init(stringLiteral name: String) { self = .named(name) }

        /// Returns whether two identities are equal. Names are compared byte by byte, as header values are.
        public static func == (one: Identity, other: Identity) -> Bool {
            switch (one, other) {
            case (.named(let one), .named(let other)): one.isSame(as: other)
            case (.everyone, .everyone): true
            case (.named, .everyone), (.everyone, .named): false
            }
        }
    }

    /// The fields, in the order of the first appearance of their names.
    private(set) var fields: [HTTPField] = []

    /// Creates an empty collection.
    public init() {}

    /// Creates headers from a text with `Name: value` on each line. Returns nil if the text has no headers, or if a
    /// line is not a header that can be sent.
    public init?(text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            self[String(line[..<colon])] = String(line[line.index(after: colon)...])
        }
        guard !fields.isEmpty, fields.allSatisfy({ $0.problem == nil }) else { return nil }
    }

    /// The value of the header with a name, without surrounding blanks; nil if there is no such header. Setting nil
    /// removes the header.
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

    /// Sets a header whose value changes while the owner of the images stays the same.
    /// - Parameters:
    ///   - name: The name of the header.
    ///   - value: The value to send.
    ///   - identity: The identity that replaces the value in comparisons of requests. Setting the header by its
    ///     subscript removes the identity.
    public mutating func set(_ name: String, to value: String, identity: Identity) {
        let field = HTTPField(name: name, value: value, identity: identity)
        if let index = fields.firstIndex(where: { $0.key == field.key }) {
            fields[index] = field
        } else {
            fields.append(field)
        }
    }

    /// Returns headers that consist of only an `Authorization` header.
    /// - Parameters:
    ///   - value: The value to send, for example `Bearer` and a token.
    ///   - identity: The identity that replaces the value in comparisons of requests.
    public static func authorization(_ value: String, identity: Identity) -> HTTPHeaders {
        var headers = HTTPHeaders()
        headers.set("Authorization", to: value, identity: identity)
        return headers
    }

    /// Returns the value of a header for a check of `Vary`; nil if there is no such header.
    ///
    /// The result is empty if the value may be secret. This suffices, because requests with different secret values
    /// have separate cache entries, unless an ``Identity`` lets them share entries.
    func choice(of name: String) -> String? {
        fields.first { $0.key == name.lowercased() }.map { $0.isOpen ? $0.value : "" }
    }

    /// Whether there are no headers.
    public var isEmpty: Bool { fields.isEmpty }

    /// Returns these headers, and those of `others` whose names do not occur in these headers.
    func adding(_ others: HTTPHeaders) -> HTTPHeaders {
        guard !isEmpty else { return others }
        var sum = self
        for field in others.fields where self[field.name] == nil { sum.fields.append(field) }
        return sum
    }

    /// Throws `loadFailed` with the given advice if a header cannot be sent.
    func check(advice: String) throws(ImageError) {
        for case let problem? in fields.lazy.map(\.problem) {
            throw ImageError(.loadFailed, stage: .load, message: "the headers contain \(problem)", advice: advice)
        }
    }

    /// The headers whose values may be shown in messages and sent to other origins.
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
    /// The headers for messages: sorted, on one line, with possibly secret values redacted; `none` if there are no
    /// headers.
    public var description: String { joined(\.description) }

    /// The canonical text for comparisons of requests. Each ``Identity`` replaces the value of its header. The text can
    /// contain secrets.
    var identityText: String { joined(\.identityText) }

    /// The canonical text with all values, including secrets and values that have an ``Identity``.
    var exactText: String { joined(\.exactText) }

    private func joined(_ text: (HTTPField) -> String) -> String {
        fields.isEmpty ? "none" : sortedFields.map(text).joined(separator: " | ")
    }
}
#endif
