/// A named option in a comma-separated text, such as `colors=64,sharedPalette`.
package struct OptionText {
    /// The name.
    package let name: String
    /// The text after the equals sign; nil if there is no equals sign.
    package let text: String?

    /// Returns the options of a text, in order; none for an empty text.
    package static func all(of text: String) -> [OptionText] {
        guard !text.isEmpty else { return [] }
        return text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return OptionText(name: sides[0], text: sides.count > 1 ? sides[1] : nil)
        }
    }

    /// Whether the option is on: the Boolean value of its text, or true without a text. Nil if the text is not Boolean.
    package var isOn: Bool? { Bool(contextText: text ?? "true") }

    /// Returns the text as a whole number in a range; nil for any other text.
    package func number(in range: ClosedRange<Int>) -> Int? {
        text.flatMap { Int($0) }.flatMap { range.contains($0) ? $0 : nil }
    }

    /// Returns the choice whose name is the text; nil for any other text.
    package func choice<Choice: RawRepresentable<String>>(_ type: Choice.Type = Choice.self) -> Choice? {
        text.flatMap { Choice(rawValue: $0) }
    }
}
