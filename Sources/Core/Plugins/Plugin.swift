/// A set of parts that are installed together: a name and what to do with a registry.
///
/// ```swift
/// extension Plugin {
///     public static let qoi = Plugin(name: "QOI") { registry in registry.coders.add(QOICoder()) }
/// }
/// ```
public struct Plugin: Sendable {
    /// The name, for people.
    public let name: String
    /// The libraries that it stands on, with the versions in use at run time.
    public let libraries: [Library]
    /// The context keys that it declares.
    public let keys: [ContextDeclaration]
    /// The features of its formats or protocols that the libraries in use lack, a sentence each, for people.
    public let limitations: [String]
    private let installer: @Sendable (Registry) -> Void

    /// A library that a plugin stands on.
    public struct Library: Sendable, Hashable {
        /// The library's own name.
        public let name: String
        /// The version in use.
        public let version: String

        /// A library in the version in use.
        public init(name: String, version: String) {
            self.name = name
            self.version = version
        }
    }

    /// A plugin. `install` is called once for each manager, with that manager's registry.
    public init(
        name: String, libraries: [Library] = [], keys: [ContextDeclaration] = [], limitations: [String] = [],
        install: @escaping @Sendable (Registry) -> Void
    ) {
        self.name = name
        self.libraries = libraries
        self.keys = keys
        self.limitations = limitations
        installer = install
    }

    /// Adds the plugin's parts to a registry: for plugins that consist of others. Managers do it by
    /// ``Registry/install(_:)``, which remembers the plugin as well.
    public func install(on registry: Registry) { installer(registry) }
}
