/// The fields in the head of a request or a response, in order.
///
/// Lookups ignore the case of names. A dictionary literal may contain a name several times. Nothing is checked, joined
/// or corrected, because a test may need invalid fields.
public struct ScriptedHeaders: Equatable, ExpressibleByDictionaryLiteral, Sendable {
    /// A line of a head.
    public struct Field: Equatable, Sendable {
        /// The name before the colon.
        public var name: String
        /// The value after the colon, without surrounding blanks.
        public var value: String

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The fields, in order.
    public var fields: [Field]

    /// Creates headers with these fields.
    public init(_ fields: [Field] = []) { self.fields = fields }

    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The value of the first field with that name; nil if there is none.
    public subscript(name: String) -> String? { values(of: name).first }

    /// Returns the values of all fields with that name, in order.
    public func values(of name: String) -> [String] {
        let wanted = name.lowercased()
        return fields.filter { $0.name.lowercased() == wanted }.map(\.value)
    }
}
