import CalotypeStandard

/// The report on one entry of a cache.
struct CacheItemReport: Encodable {
    /// The source of the entry, without credentials; nil if the key of the entry cannot be read.
    let source: String?
    /// The variant of the entry; empty for an original, nil if the key of the entry cannot be read.
    let variant: String?
    let policy: String?
    let byteCount: Int
    let path: String

    init(_ item: DiskInventory.Item) {
        source = item.key?.source.description
        variant = item.key?.redactedVariant
        policy = item.key?.redactedPolicy
        byteCount = item.byteCount
        path = item.path
    }

    /// The name of the entry for people, in one line: its key, shortened to 200 characters; or its path if the key
    /// cannot be read.
    var name: String {
        guard let source else { return path.printable }
        let key = VariantKey(source: SourceKey(source), policy: policy ?? "", variant: variant ?? "")
        let text = key.description.printable
        // Keys may have any length.
        return text.count <= 200 ? text : "\(text.prefix(200))..."
    }
}
