/// A value with a text form, so that the value can be set from a command line, printed, and made part of an identity.
///
/// `contextText` is canonical: two values are equal exactly if their texts are equal. The text `off` is reserved: it
/// resets the key that it is given for, even if `init(contextText:)` accepts it.
public protocol ContextValue: Sendable {
    /// The value as text.
    var contextText: String { get }
    /// Creates the value of a text; nil if the text is invalid.
    init?(contextText: String)
    /// The syntax of a value in a few words, for messages.
    static var contextSyntax: String { get }
}

/// The text of an enumeration of words is the word.
extension ContextValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    public var contextText: String { rawValue }
    public static var contextSyntax: String { allCases.map(\.rawValue).joined(separator: ", ") }
    public init?(contextText: String) { self.init(rawValue: contextText) }
}

extension String: ContextValue {
    public var contextText: String { self }
    public static var contextSyntax: String { "text" }
    public init?(contextText: String) { self = contextText }
}

extension Bool: ContextValue {
    public var contextText: String { self ? "true" : "false" }
    public static var contextSyntax: String { "true or false" }
    public init?(contextText: String) {
        switch contextText {
        case "true", "yes", "on", "1": self = true
        case "false", "no", "off", "0": self = false
        default: return nil
        }
    }
}

extension Int: ContextValue {
    public var contextText: String { String(self) }
    public static var contextSyntax: String { "a whole number" }
    public init?(contextText: String) { self.init(contextText) }
}

extension Double: ContextValue {
    public var contextText: String { self == rounded() && abs(self) < 1e15 ? String(Int(self)) : String(self) }
    public static var contextSyntax: String { "a number" }
    public init?(contextText: String) {
        guard let value = Double(contextText), value.isFinite else { return nil }
        self = value
    }
}

extension PixelSize: ContextValue {
    public var contextText: String { description }
    public static var contextSyntax: String { "WIDTHxHEIGHT" }
    public init?(contextText: String) {
        let parts = contextText.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]), width >= 0, height >= 0,
            width > 0 || height > 0
        else { return nil }
        self.init(width: width, height: height)
    }
}

extension Duration: ContextValue {
    public var contextText: String { "\(seconds.contextText)s" }
    public static var contextSyntax: String { "seconds, for example 2.5s" }
    public init?(contextText: String) {
        let digits = contextText.hasSuffix("s") ? String(contextText.dropLast()) : contextText
        guard let seconds = Double(digits), seconds.isFinite, seconds >= 0, seconds < 1e12 else { return nil }
        self = .seconds(seconds)
    }
}

extension Priority: ContextValue {
    public var contextText: String { String(describing: self) }
    public static var contextSyntax: String { allCases.map(\.contextText).joined(separator: ", ") }
    public init?(contextText: String) {
        guard let value = Self.allCases.first(where: { $0.contextText == contextText }) else { return nil }
        self = value
    }
}

extension Optional: ContextValue where Wrapped: ContextValue {
    public var contextText: String { self?.contextText ?? "none" }
    public static var contextSyntax: String { "\(Wrapped.contextSyntax), or none" }
    public init?(contextText: String) {
        if contextText == "none" {
            self = .none
        } else if let value = Wrapped(contextText: contextText) {
            self = .some(value)
        } else {
            return nil
        }
    }
}

extension ClosedRange where Bound: ContextValue {
    /// The syntax of a number in the range.
    var contextSyntax: String {
        let (lowest, highest) = (lowerBound.contextText, upperBound.contextText)
        let bounds = highest == Int.max.contextText ? "at least \(lowest)" : "\(lowest) to \(highest)"
        return "\(Bound.contextSyntax), \(bounds)"
    }
}
