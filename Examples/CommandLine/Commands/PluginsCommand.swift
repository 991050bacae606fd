import CalotypeStandard

/// `calotype plugins`: lists the components and keys that the installed plugins provide.
struct PluginsCommand: Command {
    let name = "plugins"
    let operands = ""
    let summary = "Lists loaders, coders, libraries, transformers and context keys."
    let discussion = "Also lists the known limitations of the installed libraries."
    let options: [Option] = []

    @MainActor
    func run(_ arguments: Arguments, console: Console) async throws -> ExitCode {
        guard arguments.operands.isEmpty else { throw UsageError("plugins takes no operands") }
        let registry = console.makeManager(cache: .off).registry
        let sections: [(title: String, text: String)] = [
            ("loaders, in the order in which they are tried", Table.text(registry.loaders.elements.map { [$0.name] })),
            ("coders, in the order in which they are tried", Table.text(registry.coders.elements.flatMap(Self.rows))),
            (
                "libraries",
                Table.text(registry.plugins.flatMap(\.libraries).map { [$0.name, $0.version] })
            ),
            (
                "limitations of these libraries",
                Table.text(registry.plugins.flatMap(\.limitations).map { [$0] })
            ),
            (
                "transformers for --transform; separate several with |",
                registry.transformers.elements.map { Self.text(for: $0) }.joined(separator: "\n")
            ),
            (
                "context keys for --set KEY=VALUE; KEY=off resets a key",
                registry.contextKeys.sorted { $0.name < $1.name }.map(Self.text).joined(separator: "\n")
            ),
        ]
        let paragraphs = sections.map { section in
            "\(section.title):\n\(section.text.isEmpty ? "  none" : section.text)"
        }
        console.say(paragraphs.joined(separator: "\n\n"))
        return .success
    }

    /// Returns a table row for each format of a coder.
    private static func rows(for coder: any ImageCoder) -> [[String]] {
        coder.formats.map { format in
            var abilities: [String] = []
            if decodes(coder, format) { abilities.append("decodes") }
            if coder.encoder(for: format) != nil { abilities.append("encodes") }
            return [coder.name, format.name, abilities.joined(separator: ", ")]
        }
    }

    /// Returns whether a coder decodes a format.
    ///
    /// A coder that does accepts bytes that consist only of the signature of the format, or throws an error because the
    /// rest is missing.
    private static func decodes(_ coder: any ImageCoder, _ format: ImageFormat) -> Bool {
        guard let signature = format.signatures.first else { return false }
        let bytes = [UInt8](repeating: 0, count: signature.offset) + signature.bytes
        do {
            return try coder.decoder(for: ImageBytes(Data(bytes)), options: DecodeOptions()) != nil
        } catch {
            return true
        }
    }

    /// Returns the syntax and the meaning of a transformer and of its parameters.
    private static func text<Kind: RecipeTransformer>(for type: Kind.Type) -> String {
        let recipe = type.recipe
        let parameters = recipe.parameters.map { parameter in
            let value = parameter.defaultText.map { "\(parameter.syntax); default: \($0)" } ?? parameter.syntax
            return "      \(parameter.name): \(value)\n          \(parameter.summary)"
        }
        return (["  \(recipe.syntax)\n      \(recipe.summary)"] + parameters).joined(separator: "\n")
    }

    /// Returns the syntax, the default and the meaning of a context key.
    private static func text(for key: ContextDeclaration) -> String {
        "  \(key.name): \(syntax(of: key)); default: \(key.defaultText)\n      \(key.summary)"
    }

    /// Returns the syntax of the values of a context key. Installed components are written by name.
    private static func syntax(of key: ContextDeclaration) -> String {
        switch key {
        case ContextKey<[any Transformer]>.transformers.declaration: "a recipe, as for --transform"
        case ContextKey<(any ImageLoader)?>.imageLoader.declaration: "the name of a loader"
        case ContextKey<(any ImageCoder)?>.imageCoder.declaration: "the name of a coder"
        default: key.syntax ?? "off; other values only in code"
        }
    }
}
