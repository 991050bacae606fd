extension StringProtocol {
    /// The text without white space at either end.
    var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }

    /// The text without spaces and tabs at either end.
    package var trimmingBlanks: SubSequence {
        let isBlank = { (character: Character) -> Bool in character == " " || character == "\t" }
        guard let start = firstIndex(where: { !isBlank($0) }), let end = lastIndex(where: { !isBlank($0) }) else {
            return self[endIndex...]
        }
        return self[start...end]
    }
}
