public import Calotype

extension ContextKey where Value == Bool {
    /// Whether images from data URIs, and images made from them, are stored on disk too. Off by default: they are
    /// stored in memory only.
    ///
    /// Requests with different values do not share a load, because each load decides for all of its requests whether
    /// the image may be stored on disk. The requests do share cache entries, because the bytes are the same.
    public static let storesDataURIs = ContextKey(
        "storesDataURIs", affects: .transfer,
        summary: "Store images from data URIs on disk too; without it they are stored in memory only.")
}

extension ContextSetting {
    /// Stores images from data URIs, and images made from them, on disk too. Default: only in memory.
    public static var storesDataURIs: ContextSetting { .on(.storesDataURIs) }
}
