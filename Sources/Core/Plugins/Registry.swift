/// The lists of a manager's components: its loaders, coders, transformers and color converters.
///
/// ```swift
/// manager.registry.coders.add(QOICoder())
/// ```
///
/// In each list the newest component is asked first. A component that declines is skipped. If a coder fails with
/// `badData` or `unknownFormat`, the next coder is tried. Thread-safe. Changes apply to work that begins after them.
public final class Registry: Sendable {
    /// The loaders, which fetch the bytes of images.
    public let loaders = RegistryList<any ImageLoader>()
    /// The coders, which turn bytes into pixels and pixels into bytes.
    public let coders = RegistryList<any ImageCoder>()
    /// The types of transformers that are made from text such as `resize(320x240,fill)`.
    public let transformers = RegistryList<any RecipeTransformer.Type>()
    /// The color converters, which convert the colors of one profile into those of another.
    public let colorConverters = RegistryList<any ColorConverter>()

    private let installed = Lock<[Plugin]>([])

    init() {
        transformers.add(ResizeTransformer.self)
    }

    /// The plugins, in the order of their installation.
    public var plugins: [Plugin] { installed.withLock { $0 } }

    /// The declarations of the context keys that can be set by name. The keys of Core come first, followed by those of
    /// each plugin.
    public var contextKeys: [ContextDeclaration] {
        ContextDeclaration.builtIn + plugins.flatMap(\.keys)
    }

    /// The formats that the installed coders read or write, in the order in which the coders are asked.
    public var formats: [ImageFormat] {
        coders.elements.flatMap(\.formats)
    }

    /// Installs a plugin's components.
    ///
    /// A plugin must not declare a key under a name that Core or an installed plugin already uses for another key.
    /// Otherwise, two settings would look alike in cache keys. The names `user`, `distinction` and `version` are
    /// reserved: in cache keys they mean the user of a URL, the loader's ``ImageLoader/distinction`` and the version of
    /// a file. Declaring a taken or reserved name is a programming error and traps.
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

    /// Returns the setting that a command line gives as `NAME=TEXT`.
    ///
    /// The text of `transformers` is one or more recipes, joined by `|`. The text of `imageLoader` or `imageCoder` is
    /// the name of an installed component. Every other key has its own text form. Every key accepts `off`.
    ///
    /// Throws `invalidSetting` if no installed key has the name, no installed component has the name in the text, or
    /// the text is not a value of the key. Throws the errors of ``transformers(recipe:)`` for an invalid recipe.
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
            advice: "use one of: \(elements.map(\.name).joined(separator: ", "))")
    }
}
