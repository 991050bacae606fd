/// The fields in the head of a request or an answer, in their order.
///
/// Names are found without regard to case. Written as a dictionary literal, in which a name may stand more than once:
/// nothing is checked, put together or corrected, since a test may want what is wrong.
public struct ScriptedHeaders: Equatable, ExpressibleByDictionaryLiteral, Sendable {
    /// One line of a head.
    public struct Field: Equatable, Sendable {
        /// The name, before the colon.
        public var name: String
        /// The value, behind the colon, without the blanks around it.
        public var value: String

        /// A field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The fields, in their order.
    public var fields: [Field]

    /// Fields in this order.
    public init(_ fields: [Field] = []) { self.fields = fields }

    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The value of the first field of that name; nil when there is none.
    public subscript(name: String) -> String? { values(of: name).first }

    /// The values of all fields of that name, in their order.
    public func values(of name: String) -> [String] {
        let wanted = name.lowercased()
        return fields.filter { $0.name.lowercased() == wanted }.map(\.value)
    }
}
