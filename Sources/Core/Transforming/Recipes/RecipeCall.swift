/// A step of a recipe as it is written: a name and arguments. Positions are numbers of characters in the whole recipe,
/// from 1.
struct RecipeCall: Equatable {
    /// An argument.
    struct Argument: Equatable {
        /// The name of the parameter; nil if the argument is given by position.
        var label: String?
        /// The value, without quotation marks.
        var value: String
        /// The position of the label, or of the value if there is no label.
        var position: Int
        var valuePosition: Int
    }

    var name: String
    var arguments: [Argument]
    var position: Int
    /// The position of the closing parenthesis; without parentheses, the one after the name.
    var end: Int
}

extension String {
    /// The text as an argument of a recipe: in quotation marks if it contains characters with a meaning.
    var asRecipeArgument: String {
        // Not characters: a mark is also found before a combining accent, with which it forms a character.
        let scalars = unicodeScalars
        let isSpaced = [scalars.first, scalars.last].contains { $0?.properties.isWhitespace == true }
        guard isEmpty || isSpaced || scalars.contains(where: RecipeParser.isMark) else { return self }
        var escaped = "\"".unicodeScalars
        for scalar in scalars {
            if scalar == "\"" || scalar == "\\" { escaped.append("\\") }
            escaped.append(scalar)
        }
        escaped.append("\"")
        return String(escaped)
    }
}

extension ImageError {
    /// Returns the error of a recipe that is invalid at a character, counted from 1.
    static func invalidRecipe(
        _ problem: String, at position: Int, component: String? = nil, advice: String?
    ) -> ImageError {
        ImageError(
            .transformFailed, stage: .resolve, component: component,
            message: "the recipe is invalid at character \(position): \(problem)", advice: advice)
    }
}
