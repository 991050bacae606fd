/// A named option of a command.
struct Option: Sendable {
    /// The long form, with its two dashes.
    let name: String
    /// The short form, with its dash; nil if there is none.
    let shortName: String?
    /// The placeholder of the value in the help; nil if the option has no value.
    let placeholder: String?
    /// The meaning of the option for the help, in half a sentence.
    let summary: String

    init(_ name: String, short shortName: String? = nil, value placeholder: String? = nil, _ summary: String) {
        self.name = name
        self.shortName = shortName
        self.placeholder = placeholder
        self.summary = summary
    }

    /// All forms of the option with the placeholder of its value, for the help.
    var synopsis: String {
        let forms = [shortName, name].compactMap(\.self).joined(separator: ", ")
        return placeholder.map { "\(forms) \($0)" } ?? forms
    }

    /// Returns whether a word is the long or the short form of the option.
    func isSpelled(_ word: String) -> Bool { word == name || word == shortName }
}
