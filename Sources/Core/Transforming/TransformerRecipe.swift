/// The text form of a transformer: a name and the function that makes a transformer of its arguments, so that chains
/// can be written on a command line.
///
/// A recipe is a name with arguments in parentheses, `resize(320x240,fill)`; several are joined by `|`. Registered in
/// ``Registry/transformers``.
public struct TransformerRecipe: Sendable {
    /// The name, lower camel case.
    public let name: String
    /// The syntax for people: `resize(WIDTHxHEIGHT[,fit|fill|stretch])`.
    public let syntax: String
    private let build: @Sendable ([String]) throws -> (any Transformer)?

    /// A recipe.
    /// - Parameter build: Makes the transformer of the arguments, which are trimmed of white space; nil or an error
    ///   when they are not understood.
    public init(name: String, syntax: String, build: @escaping @Sendable ([String]) throws -> (any Transformer)?) {
        self.name = name
        self.syntax = syntax
        self.build = build
    }

    /// The recipes that Core brings.
    static let builtIn: [TransformerRecipe] = [.resize]

    func transformer(for arguments: [String], text: String) throws(ImageError) -> any Transformer {
        do {
            if let transformer = try build(arguments) { return transformer }
        } catch {
            throw .wrapping(
                error, as: .transformFailed, stage: .resolve, component: name, message: "'\(text)' is no recipe")
        }
        throw ImageError(
            .transformFailed, stage: .resolve, component: name, message: "'\(text)' is no recipe",
            advice: "write \(syntax)")
    }
}
