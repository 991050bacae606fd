/// The text form of a transformer: a name, and the function that makes a transformer from arguments, so that chains of
/// transformers can be written on a command line.
///
/// A recipe is a name with arguments in parentheses, `resize(320x240,fill)`; several recipes are joined by `|`.
/// Register recipes in ``Registry/transformers``.
public struct TransformerRecipe: Sendable {
    /// The name, in lower camel case.
    public let name: String
    /// The syntax, as shown to users, for example `resize(WIDTHxHEIGHT[,fit|fill|stretch])`.
    public let syntax: String
    private let build: @Sendable ([String]) throws -> (any Transformer)?

    /// Creates a recipe.
    /// - Parameter build: Makes the transformer from the arguments, which are trimmed of white space. Returns nil or
    ///   throws if the arguments are invalid.
    public init(name: String, syntax: String, build: @escaping @Sendable ([String]) throws -> (any Transformer)?) {
        self.name = name
        self.syntax = syntax
        self.build = build
    }

    /// The built-in recipes.
    static let builtIn: [TransformerRecipe] = [.resize]

    func transformer(for arguments: [String], text: String) throws(ImageError) -> any Transformer {
        do {
            if let transformer = try build(arguments) { return transformer }
        } catch {
            throw .wrapping(
                error, as: .transformFailed, stage: .resolve, component: name,
                message: "'\(text)' is not a valid recipe", advice: "write \(syntax)")
        }
        throw ImageError(
            .transformFailed, stage: .resolve, component: name, message: "'\(text)' is not a valid recipe",
            advice: "write \(syntax)")
    }
}
