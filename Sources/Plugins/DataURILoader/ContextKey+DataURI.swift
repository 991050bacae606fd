public import Calotype

extension ContextKey where Value == Bool {
    /// Whether images from data URIs may be kept on disk.
    ///
    /// The key affects the transfer, because a loader's statement about a response applies to all requests that share
    /// it. It does not affect stored data, because the bytes are the same in any case.
    public static let storesDataURIs = ContextKey(
        "storesDataURIs", affects: .transfer,
        summary: "Store images from data URIs on disk too; without it they are stored in memory only.")
}

extension ContextSetting {
    /// Stores images from data URIs, and images made from them, on disk too. Default: only in memory.
    public static var storesDataURIs: ContextSetting { .on(.storesDataURIs) }
}
