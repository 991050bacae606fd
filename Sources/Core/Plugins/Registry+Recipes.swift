extension Registry {
    /// Returns the transformers that a text describes, for example `resize(800x600,fit)|resize(100x100,fill)`.
    ///
    /// Throws `transformFailed` if a name is not registered, a closing parenthesis is missing, or arguments are
    /// invalid. An ``ImageError`` that a recipe throws keeps its own code.
    public func transformers(recipe: String) throws(ImageError) -> [any Transformer] {
        var steps: [any Transformer] = []
        for part in recipe.split(separator: "|", omittingEmptySubsequences: false) {
            let text = part.trimmed
            let name = text.prefix { $0 != "(" }.trimmed
            let known = transformers.elements
            guard let entry = known.first(where: { $0.name == name }) else {
                throw ImageError(
                    .transformFailed, stage: .resolve, message: "'\(text)' does not name an installed transformer",
                    advice: "use one of: \(known.map(\.name).sorted().joined(separator: ", "))")
            }
            var arguments: [String] = []
            if let start = text.firstIndex(of: "(") {
                guard text.hasSuffix(")") else {
                    throw ImageError(
                        .transformFailed, stage: .resolve, message: "'\(text)' has no closing parenthesis",
                        advice: "write \(entry.syntax)")
                }
                let inner = text[text.index(after: start)...].dropLast()
                arguments =
                    inner.isEmpty ? [] : inner.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
            }
            steps.append(try entry.transformer(for: arguments, text: text))
        }
        return steps
    }
}
