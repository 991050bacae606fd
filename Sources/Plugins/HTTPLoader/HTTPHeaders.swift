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
/// same, byte for byte, in whatever order. Any text can be put in; what HTTP does not allow is refused when a request is made of it.
public struct HTTPHeaders: Sendable {
    /// In the order of their names' first appearance.
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
                other.fields.contains { $0.key.isSame(as: field.key) && $0.value.isSame(as: field.value) }
            }
    }

    public func hash(into hasher: inout Hasher) {
        for field in sortedFields {
            hasher.combine(field.key)
            hasher.combine(field.value)
        }
    }
}

extension HTTPHeaders: CustomStringConvertible {
    /// The headers for messages and cache keys: sorted, in one line, secret values as digests; `none` without any.
    ///
    /// Canonical: equal headers have equal descriptions, others do not.
    public var description: String {
        fields.isEmpty ? "none" : sortedFields.map(\.description).joined(separator: " | ")
    }
}
#endif
