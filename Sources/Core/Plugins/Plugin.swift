/// A set of components that are installed together.
///
/// ```swift
/// extension Plugin {
///     public static let qoi = Plugin(name: "QOI") { registry in registry.coders.add(QOICoder()) }
/// }
/// ```
public struct Plugin: Sendable {
    /// The name, for messages.
    public let name: String
    /// The libraries that the plugin uses, with their versions at run time.
    public let libraries: [Library]
    /// The context keys that the plugin declares.
    public let keys: [ContextDeclaration]
    /// The known limitations of the plugin with the installed libraries, one sentence each. An example is a part of a
    /// format that cannot be read.
    public let limitations: [String]
    private let installer: @Sendable (Registry) -> Void

    /// A library that a plugin uses.
    public struct Library: Sendable, Hashable {
        /// The library's own name.
        public let name: String
        /// The version in use.
        public let version: String

        /// Creates the description of a library.
        /// - Parameter version: The version that is in use.
        public init(name: String, version: String) {
            self.name = name
            self.version = version
        }
    }

    /// Creates a plugin. `install` is called each time the plugin is installed, with the registry of the manager.
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

    /// Adds the plugin's components to a registry. Call it to make a plugin that consists of other plugins. Managers
    /// call ``Registry/install(_:)`` instead, which also remembers the plugin.
    public func install(on registry: Registry) { installer(registry) }
}
