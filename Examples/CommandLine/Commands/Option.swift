/// Something that a command can be told by name.
struct Option: Sendable {
    /// The long form, with its dashes.
    let name: String
    /// The short form, with its dash; nil when there is none.
    let shortName: String?
    /// What stands for the value in the help; nil when the option has none.
    let placeholder: String?
    /// Half a sentence for the help.
    let summary: String

    init(_ name: String, short shortName: String? = nil, value placeholder: String? = nil, _ summary: String) {
        self.name = name
        self.shortName = shortName
        self.placeholder = placeholder
        self.summary = summary
    }

    /// How it is written, in all its forms.
    var synopsis: String {
        let forms = [shortName, name].compactMap(\.self).joined(separator: ", ")
        return placeholder.map { "\(forms) \($0)" } ?? forms
    }

    /// Whether `word` is one of its forms.
    func isSpelled(_ word: String) -> Bool { word == name || word == shortName }
}
