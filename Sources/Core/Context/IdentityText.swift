/// A part of a text that identifies a request, in three forms. The forms are equal unless the part contains a secret,
/// or a name that represents a value.
struct IdentityText: Sendable {
    /// The text that is compared: canonical, and with secrets. It stays in memory.
    let full: String
    /// The text that may be printed and written to disk.
    let shown: String
    /// The text with actual values instead of the names that represent them in ``full``.
    let exact: String
    /// Whether the three forms are equal.
    let isOne: Bool

    /// Creates an identity text whose three forms are equal.
    init(_ text: String) {
        full = text
        shown = text
        exact = text
        isOne = true
    }

    init(full: String, shown: String, exact: String) {
        self.full = full
        self.shown = shown
        self.exact = exact
        isOne = full.isSame(as: shown) && full.isSame(as: exact)
    }

    /// Returns the text as `NAME=TEXT`, with special characters of the text escaped.
    func named(_ name: String) -> IdentityText { map { "\(name)=\($0.identityEscaped)" } }

    /// Returns the text with `transform` applied to each of its forms.
    func map(_ transform: (String) -> String) -> IdentityText {
        let full = transform(self.full)
        // Most values contain no secret: their text is made once.
        if isOne { return IdentityText(full) }
        return IdentityText(full: full, shown: transform(shown), exact: transform(exact))
    }

    /// Joins parts with a separator, and leaves out empty ones.
    init(joining parts: [IdentityText], by separator: String) {
        let parts = parts.filter { !$0.isEmpty }
        let full = parts.map(\.full).joined(separator: separator)
        guard !parts.allSatisfy(\.isOne) else {
            self.init(full)
            return
        }
        self.init(
            full: full, shown: parts.map(\.shown).joined(separator: separator),
            exact: parts.map(\.exact).joined(separator: separator))
    }

    var isEmpty: Bool { full.isEmpty }
}

extension IdentityText {
    /// A part of an identity that does not come from the values of the context.
    enum Addition: String, CaseIterable {
        /// The user in the URL.
        case user
        /// The text that distinguishes the registered loader from others (``ImageLoader/distinction``).
        case distinction
        /// The version of the file.
        case version

        static let names = Set(allCases.map(\.rawValue))
    }

    /// Returns the identity with an addition, or the unchanged identity if the text of the addition is nil or empty.
    func adding(_ addition: Addition, _ text: IdentityText?) -> IdentityText {
        guard let text, !text.isEmpty else { return self }
        return IdentityText(joining: [self, text.named(addition.rawValue)], by: ";")
    }
}
