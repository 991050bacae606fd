/// A parser of recipes, which are lists of calls such as `resize(320x240,fill)|blur(4)`. White space between the parts
/// has no meaning.
struct RecipeParser {
    /// The maximum length of a recipe.
    static let maxByteCount = 8192

    /// The text as scalars. A mark is also found before a combining accent, with which it forms one character.
    private let scalars: [Unicode.Scalar]
    /// The number of the character that each scalar belongs to, from 1, and that of the end.
    private let positions: [Int]
    private var index = 0

    private init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        var positions: [Int] = []
        for (number, character) in zip(1..., text) {
            positions += repeatElement(number, count: character.unicodeScalars.count)
        }
        self.positions = positions + [(positions.last ?? 0) + 1]
    }

    /// Returns the calls of a recipe. Throws `transformFailed` with the position of the first invalid character.
    static func calls(in text: String) throws(ImageError) -> [RecipeCall] {
        guard text.utf8.count <= maxByteCount else {
            throw ImageError(
                .transformFailed, stage: .resolve,
                message: "the recipe has \(text.utf8.count) bytes, more than \(maxByteCount)",
                advice: "use fewer or shorter transformers")
        }
        var parser = RecipeParser(text)
        return try parser.calls()
    }

    /// Returns whether a scalar has a meaning in recipes, so that an argument with it needs quotation marks.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool { ",()|\"=".unicodeScalars.contains(scalar) }

    /// Returns whether a text is a name: ASCII letters and digits, and a letter first.
    static func isName(_ text: String) -> Bool {
        var parser = RecipeParser(text)
        return parser.takeName() == text && parser.isAtEnd
    }

    private mutating func calls() throws(ImageError) -> [RecipeCall] {
        var calls = [try call()]
        while !isAtEnd {
            guard take("|") else { throw unexpected("'|' or the end") }
            calls.append(try call())
        }
        return calls
    }

    private mutating func call() throws(ImageError) -> RecipeCall {
        skipSpace()
        let position = position
        guard let name = takeName() else { throw unexpected("the name of a transformer") }
        skipSpace()
        var call = RecipeCall(name: name, arguments: [], position: position, end: self.position)
        guard take("(") else { return call }
        skipSpace()
        call.end = self.position
        guard !take(")") else {
            skipSpace()
            return call
        }
        repeat {
            call.arguments.append(try argument())
            skipSpace()
            call.end = self.position
        } while take(",")
        guard take(")") else { throw unexpected("',' or ')'") }
        skipSpace()
        return call
    }

    private mutating func argument() throws(ImageError) -> RecipeCall.Argument {
        skipSpace()
        let start = position
        let label = takeLabel()
        skipSpace()
        let valuePosition = position
        let value = try take("\"") ? quotedValue(from: valuePosition) : bareValue()
        return RecipeCall.Argument(label: label, value: value, position: start, valuePosition: valuePosition)
    }

    /// Returns the rest of a value in quotation marks.
    /// - Parameter start: The position of the opening quotation mark.
    private mutating func quotedValue(from start: Int) throws(ImageError) -> String {
        var value = "".unicodeScalars
        while !isAtEnd {
            if take("\"") { return String(value) }
            if take("\\"), next != "\"", next != "\\" { throw unexpected("'\"' or '\\' after '\\'") }
            guard let next else { break }
            value.append(next)
            index += 1
        }
        throw .invalidRecipe(
            "the closing quotation mark is missing", at: start, advice: "write \\\" for a quotation mark in a value")
    }

    private mutating func bareValue() throws(ImageError) -> String {
        let start = index
        // An equals sign after something else than a name is part of a value, as in a URL.
        while let next, next == "=" || !Self.isMark(next) { index += 1 }
        guard let last = scalars[start..<index].lastIndex(where: { !$0.properties.isWhitespace }) else {
            throw unexpected("a value")
        }
        return Self.text(scalars[start...last])
    }

    /// Takes a name and the equals sign after it. Takes nothing if there is no equals sign after a name.
    private mutating func takeLabel() -> String? {
        let start = index
        if let name = takeName() {
            skipSpace()
            if take("=") { return name }
        }
        index = start
        return nil
    }

    private mutating func takeName() -> String? {
        let start = index
        while let next, next.isASCII, next.properties.isAlphabetic || index > start && ("0"..."9").contains(next) {
            index += 1
        }
        return index > start ? Self.text(scalars[start..<index]) : nil
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while let next, next.properties.isWhitespace { index += 1 }
    }

    private var next: Unicode.Scalar? { isAtEnd ? nil : scalars[index] }
    private var isAtEnd: Bool { index == scalars.count }
    private var position: Int { positions[index] }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = "".unicodeScalars
        text.append(contentsOf: scalars)
        return String(text)
    }

    /// Returns the error that something else was expected than the next character.
    private func unexpected(_ expected: String) -> ImageError {
        let found = next.map { "'\($0)'" } ?? "the end"
        return .invalidRecipe(
            "\(expected) is expected, not \(found)", at: position,
            advice: "write a recipe such as resize(400x300,fill), and join several with |")
    }
}
