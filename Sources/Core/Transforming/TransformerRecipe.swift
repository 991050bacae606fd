/// A recipe that makes a transformer from text, for example from an argument of a command line.
///
/// The text consists of the recipe's name and the arguments in parentheses, for example `resize(320x240,fill)`. The
/// texts of several transformers are joined by `|`. Register recipes in ``Registry/transformers``.
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
