extension Registry {
    /// Returns the transformers that a text describes, for example `resize(800x600,fit)|resize(100x100,fill)`.
    ///
    /// The keys of registered transformers are recipes (``RecipeTransformer``). Throws `transformFailed` if the text is
    /// invalid or a name is not registered. The message states the position of the invalid character.
    public func transformers(recipe: String) throws(ImageError) -> [any Transformer] {
        let known = transformers.elements
        var steps: [any Transformer] = []
        for call in try RecipeParser.calls(in: recipe) {
            guard let type = known.first(where: { $0.recipeName == call.name }) else {
                throw .invalidRecipe(
                    "'\(call.name)' is not an installed transformer", at: call.position,
                    advice: "use one of: \(known.map { $0.recipeName }.sorted().joined(separator: ", "))")
            }
            steps.append(try type.transformer(for: call))
        }
        return steps
    }
}

extension RecipeTransformer {
    fileprivate static var recipeName: String { recipe.name }

    fileprivate static func transformer(for call: RecipeCall) throws(ImageError) -> any Transformer {
        try recipe.transformer(for: call)
    }
}
