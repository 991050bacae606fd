// How caches compare texts that do not compare their bytes.
extension String {
    /// Whether it is like a pattern in SQL, where nothing says that `%` and `_` are to be taken as they are.
    func isLike(_ pattern: String) -> Bool { Self.matches(self[...], pattern[...]) }

    private static func matches(_ text: Substring, _ pattern: Substring) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "%" {
            return matches(text, pattern.dropFirst()) || !text.isEmpty && matches(text.dropFirst(), pattern)
        }
        guard let letter = text.first, first == "_" || letter == first else { return false }
        return matches(text.dropFirst(), pattern.dropFirst())
    }

    /// What is left of it where it ends at a zero and case counts for nothing.
    var cut: String { prefix { $0 != "\0" }.lowercased() }
}
