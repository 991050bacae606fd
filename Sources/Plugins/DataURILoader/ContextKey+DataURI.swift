public import Calotype

extension ContextKey where Value == Bool {
    /// Whether images from data URIs may be kept on disk.
    ///
    /// Part of the transfer, since what a loader says of a response applies to all requests that share it; not of what
    /// is stored: the bytes are the same in any case.
    public static let storesDataURIs = ContextKey(
        "storesDataURIs", affects: .transfer,
        summary: "Store images from data URIs on disk too; without it they are stored in memory only.")
}

extension ContextSetting {
    /// Keep images from data URIs, and what is made of them, on disk too. Default: in memory alone.
    public static var storesDataURIs: ContextSetting { .on(.storesDataURIs) }
}
