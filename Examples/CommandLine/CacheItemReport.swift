import CalotypeStandard

/// What is told of one entry of a cache.
struct CacheItemReport: Encodable {
    /// What it was stored for, without credentials; nil when it cannot be read.
    let source: String?
    /// Empty for an original.
    let variant: String?
    let policy: String?
    let byteCount: Int
    let path: String

    init(_ item: DiskInventory.Item) {
        source = item.key.map { Self.shown($0.source) }
        variant = item.key?.variant
        policy = item.key?.policy
        byteCount = item.byteCount
        path = item.path
    }

    /// In a line, for people: what it was stored for, else its file.
    var name: String {
        guard let source else { return path.printable }
        let key = VariantKey(source: SourceKey(source), policy: policy ?? "", variant: variant ?? "")
        let text = key.description.printable
        // Keys may be of any length.
        return text.count <= 200 ? text : "\(text.prefix(200))..."
    }

    /// A key without what may be secret in it. Those that the library makes hold no secrets, those of a key filter may.
    private static func shown(_ key: SourceKey) -> String {
        // The digest of a data URI is no address that could be shown in parts.
        let isDigest = key.text.hasPrefix("data:sha256-") && !key.text.contains(",")
        return isDigest ? key.text : ImageRequest(key.text).description
    }
}
