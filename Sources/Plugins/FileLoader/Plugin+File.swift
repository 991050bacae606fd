public import Calotype

extension Plugin {
    /// A plugin that loads files.
    public static let file = Plugin(
        name: "File",
        keys: [
            ContextKey<Bool>.mapsFiles.declaration, ContextKey<Bool>.storesFiles.declaration,
            ContextKey<DirectoryList?>.allowedDirectories.declaration,
        ]
    ) { $0.loaders.add(FileImageLoader()) }
}
