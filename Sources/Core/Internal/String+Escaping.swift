extension String {
    /// Returns the text with `%` and all `separators` percent-encoded, so that texts can be joined without ambiguity.
    /// - Parameter separators: The characters to encode, all of them ASCII.
    package func escaping(_ separators: String) -> String {
        guard utf8.contains(where: { $0 == UInt8(ascii: "%") || separators.utf8.contains($0) }) else { return self }
        // By scalars: a separator followed by a combining accent is still a separator.
        return unicodeScalars.reduce(into: "") { escaped, scalar in
            if scalar == "%" || separators.unicodeScalars.contains(scalar) {
                escaped += "%" + String(scalar.value, radix: 16, uppercase: true)
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
    }

    /// The text with `;`, `=`, `|` and `%` percent-encoded, for use as a part of an identity.
    var identityEscaped: String { escaping(";=|") }
}
