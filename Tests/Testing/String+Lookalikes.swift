// Incorrect text comparisons of caches, which do not compare bytes.
extension String {
    /// Returns whether the text matches an SQL pattern in which `%` and `_` are not escaped.
    func isLike(_ pattern: String) -> Bool { Self.matches(self[...], pattern[...]) }

    private static func matches(_ text: Substring, _ pattern: Substring) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "%" {
            return matches(text, pattern.dropFirst()) || !text.isEmpty && matches(text.dropFirst(), pattern)
        }
        guard let letter = text.first, first == "_" || letter == first else { return false }
        return matches(text.dropFirst(), pattern.dropFirst())
    }

    /// The text up to a zero, ignoring case.
    var cut: String { prefix { $0 != "\0" }.lowercased() }
}
