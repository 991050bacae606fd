/// A parameter of a transformer: its name, its values, and the property that holds it.
///
/// Recipes give unlabeled parameters by position or by name, and labeled ones by name only. In
/// `resize(320x240,fill,linear=true)`, the size and the mode are unlabeled.
///
/// A value is valid if its text makes the same value again. So a color with a channel that is not a number is invalid,
/// for example. Do not use `String?`, because its text for nil is also the text of the string `none`.
public struct TransformerParameter<Subject: RecipeTransformer>: Sendable {
    /// The name, in lower camel case.
    public let name: String
    /// The syntax of a value in a few words, for messages.
    public let syntax: String
    /// A description in one sentence, with the unit.
    public let summary: String
    /// Whether recipes give the value by name only.
    public let isLabeled: Bool
    /// The text of the default value; nil if a recipe must give the value.
    public internal(set) var defaultText: String?

    let isRequired: Bool
    /// Returns the value as text.
    let text: @Sendable (Subject) -> String
    /// Returns whether the transformer's value is valid.
    let isValid: @Sendable (Subject) -> Bool
    /// Sets the value of a text. Returns false if the text is invalid.
    let set: @Sendable (inout Subject, String) -> Bool

    private init<Value: ContextValue>(
        _ name: String, _ property: any WritableKeyPath<Subject, Value> & Sendable, syntax: String, summary: String,
        isLabeled: Bool, isRequired: Bool, isValid: @escaping @Sendable (Value) -> Bool
    ) {
        self.name = name
        self.syntax = syntax
        self.summary = summary
        self.isLabeled = isLabeled
        self.isRequired = isRequired
        text = { $0[keyPath: property].contextText }
        self.isValid = { subject in
            let value = subject[keyPath: property]
            return isValid(value) && Value(contextText: value.contextText) != nil
        }
        set = { subject, text in
            guard let value = Value(contextText: text), isValid(value) else { return false }
            subject[keyPath: property] = value
            return true
        }
    }

    /// Creates an unlabeled parameter that every recipe must give.
    /// - Parameters:
    ///   - name: The name, in lower camel case.
    ///   - property: The property that holds the value.
    ///   - summary: A description in one sentence, with the unit.
    public static func required<Value: ContextValue>(
        _ name: String, _ property: any WritableKeyPath<Subject, Value> & Sendable, summary: String
    ) -> TransformerParameter {
        TransformerParameter(
            name, property, syntax: Value.contextSyntax, summary: summary, isLabeled: false, isRequired: true
        ) { _ in true }
    }

    /// Creates an unlabeled parameter that every recipe must give, for numbers in a range. A number outside the range
    /// is an error, also if code sets it.
    /// - Parameters:
    ///   - name: The name, in lower camel case.
    ///   - property: The property that holds the value.
    ///   - range: The valid numbers.
    ///   - summary: A description in one sentence, with the unit.
    public static func required<Value: ContextValue & Comparable>(
        _ name: String, _ property: any WritableKeyPath<Subject, Value> & Sendable, in range: ClosedRange<Value>,
        summary: String
    ) -> TransformerParameter {
        TransformerParameter(
            name, property, syntax: range.contextSyntax, summary: summary, isLabeled: false, isRequired: true
        ) { range.contains($0) }
    }

    /// Creates a parameter with a default value.
    /// - Parameters:
    ///   - name: The name, in lower camel case.
    ///   - property: The property that holds the value.
    ///   - isLabeled: Whether recipes give the value by name only. Default: true. Unlabeled parameters come before
    ///     labeled ones.
    ///   - summary: A description in one sentence, with the unit.
    public static func optional<Value: ContextValue>(
        _ name: String, _ property: any WritableKeyPath<Subject, Value> & Sendable, isLabeled: Bool = true,
        summary: String
    ) -> TransformerParameter {
        TransformerParameter(
            name, property, syntax: Value.contextSyntax, summary: summary, isLabeled: isLabeled, isRequired: false
        ) { _ in true }
    }

    /// Creates a parameter with a default value, for numbers in a range. A number outside the range is an error, also
    /// if code sets it.
    /// - Parameters:
    ///   - name: The name, in lower camel case.
    ///   - property: The property that holds the value.
    ///   - range: The valid numbers.
    ///   - isLabeled: Whether recipes give the value by name only. Default: true. Unlabeled parameters come before
    ///     labeled ones.
    ///   - summary: A description in one sentence, with the unit.
    public static func optional<Value: ContextValue & Comparable>(
        _ name: String, _ property: any WritableKeyPath<Subject, Value> & Sendable, in range: ClosedRange<Value>,
        isLabeled: Bool = true, summary: String
    ) -> TransformerParameter {
        TransformerParameter(
            name, property, syntax: range.contextSyntax, summary: summary, isLabeled: isLabeled, isRequired: false
        ) { range.contains($0) }
    }

    /// The requirement that an invalid value does not meet, for messages.
    var requirement: String { "\(name) must be \(syntax)" }
}
