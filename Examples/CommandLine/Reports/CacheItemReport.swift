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
        source = item.key?.source.description
        variant = item.key?.shownVariant
        policy = item.key?.shownPolicy
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
}
