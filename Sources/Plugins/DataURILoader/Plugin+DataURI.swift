public import Calotype

extension Plugin {
    /// A plugin that loads data URIs.
    public static let dataURI = Plugin(
        name: "DataURI", keys: [ContextKey<Bool>.storesDataURIs.declaration]
    ) { $0.loaders.add(DataURIImageLoader()) }
}
