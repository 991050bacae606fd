/// A part of an identity, in three forms that are one text where no value holds a secret.
struct IdentityText: Sendable {
    /// What is compared: canonical, and with its secrets. It stays in memory.
    let full: String
    /// What may be printed and written.
    let shown: String
    /// What was said, also where a name stands for it in ``full``.
    let exact: String

    /// One text for all purposes.
    init(_ text: String) { self.init(full: text, shown: text, exact: text) }

    init(full: String, shown: String, exact: String) {
        self.full = full
        self.shown = shown
        self.exact = exact
    }

    /// These parts with a separator between them; those that are empty are left out.
    init(joining parts: [IdentityText], by separator: String) {
        let parts = parts.filter { !$0.isEmpty }
        self.init(
            full: parts.map(\.full).joined(separator: separator),
            shown: parts.map(\.shown).joined(separator: separator),
            exact: parts.map(\.exact).joined(separator: separator))
    }

    var isEmpty: Bool { full.isEmpty }
}
