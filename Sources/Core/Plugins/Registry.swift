/// The lists of what is installed with a manager.
///
/// ```swift
/// manager.registry.coders.add(QOICoder())
/// ```
///
/// In each list the newest is asked first; one that has nothing to say is passed over, and a coder that fails lets the
/// next one try. Thread-safe; changes hold for work that begins after them.
public final class Registry: Sendable {
    /// The loaders, which fetch the bytes of images.
    public let loaders = RegistryList<any ImageLoader>()
    /// The coders, which turn bytes into pixels and pixels into bytes.
    public let coders = RegistryList<any ImageCoder>()
    /// The recipes, which give the words of a transformer chain their meaning.
    public let transformers = RegistryList<TransformerRecipe>()
    /// The color converters, which turn the colors of one profile into those of another.
    public let colorConverters = RegistryList<any ColorConverter>()

    private let installed = Lock<[Plugin]>([])

    init() {
        for recipe in TransformerRecipe.builtIn { transformers.add(recipe) }
    }

    /// The plugins, in the order of their installation.
    public var plugins: [Plugin] { installed.withLock { $0 } }

    /// All keys that can be set by name: Core's, then those of each plugin.
    public var contextKeys: [ContextDeclaration] {
        ContextDeclaration.builtIn + plugins.flatMap(\.keys)
    }

    /// The formats that the installed coders read or write, the first asked first.
    public var formats: [ImageFormat] {
        coders.elements.flatMap(\.formats)
    }

    /// Installs a plugin's parts.
    ///
    /// Two keys of one name would make two settings look alike in cache keys, so a plugin that declares a name that is
    /// taken is a mistake of the program. So is a key called `user`, `distinction` or `version`, which stand in cache
    /// keys for the user of a URL, the loader and the version of a file.
    public func install(_ plugin: Plugin) {
        let known = contextKeys
        for key in plugin.keys {
            let isFree =
                !known.contains { $0.name == key.name && $0 != key } && !IdentityText.Addition.names.contains(key.name)
            precondition(isFree, "plugin \(plugin.name) declares the context key \(key.name), which exists already")
        }
        installed.withLock { $0.append(plugin) }
        plugin.install(on: self)
    }

    /// The setting for `NAME=TEXT`, as a command line gives it: transformers by their recipe, a loader or a coder by
    /// its name, everything else as its key says.
    ///
    /// Throws `invalidSetting` when no installed key has the name or the text is no value of it, and `transformFailed`
    /// for a recipe that is not understood.
    public func setting(named name: String, text: String) throws(ImageError) -> ContextSetting {
        let keys = contextKeys
        guard let key = keys.first(where: { $0.name == name }) else {
            let names = keys.map(\.name).sorted().joined(separator: ", ")
            throw ImageError(
                .invalidSetting, stage: .resolve, subject: name, message: "is not the name of a setting",
                advice: "use one of: \(names)")
        }
        guard text != "off" else { return try key.setting(from: text) }
        switch key {
        case ContextKey.transformers.declaration:
            return .transformers(try transformers(recipe: text))
        case ContextKey.imageLoader.declaration:
            return .imageLoader(try element(named: text, of: loaders.elements.map { ($0.name, $0) }, for: key))
        case ContextKey.imageCoder.declaration:
            return .imageCoder(try element(named: text, of: coders.elements.map { ($0.name, $0) }, for: key))
        default:
            return try key.setting(from: text)
        }
    }

    private func element<Element>(
        named name: String, of elements: [(name: String, element: Element)], for key: ContextDeclaration
    ) throws(ImageError) -> Element {
        if let found = elements.first(where: { $0.name == name }) { return found.element }
        throw ImageError(
            .invalidSetting, stage: .resolve, subject: key.name, message: "'\(name)' is not installed",
            advice: "installed are \(elements.map(\.name).joined(separator: ", "))")
    }
}
