/// The part of a head that a cache keeps beside an original.
extension LoadHead {
    private static let mimeType = "mimeType"
    private static let entityTag = "entityTag"
    private static let lastModified = "lastModified"
    private static let caching = "http"

    /// The head of an original that a cache has.
    init(_ entry: CacheEntry) {
        let attributes = entry.attributes
        let (tag, date) = (attributes[Self.entityTag], attributes[Self.lastModified])
        self.init(
            expectedByteCount: entry.data.count, mimeType: attributes[Self.mimeType],
            validators: tag == nil && date == nil ? nil : Validators(entityTag: tag, lastModified: date))
        caching = attributes[Self.caching].flatMap { HTTPCacheRecord(text: $0) }
    }

    /// Returns the head of a copy that was confirmed: the new values, over the old ones.
    /// - Parameter requestField: The value of a field of the request that was answered so.
    func updated(by newer: LoadHead?, requestField: (_ name: String) -> String?) -> LoadHead {
        var head = self
        // The tag is that of the bytes at hand, whatever a confirmation says.
        var validators = validators ?? Validators()
        validators.entityTag = validators.entityTag ?? newer?.validators?.entityTag
        validators.lastModified = newer?.validators?.lastModified ?? validators.lastModified
        head.validators = validators == Validators() ? nil : validators
        head.caching = newer?.caching.map { caching?.updated(by: $0, requestField: requestField) ?? $0 } ?? caching
        return head
    }

    /// The attributes of an entry.
    var attributes: [String: String] {
        var attributes: [String: String] = [:]
        attributes[Self.mimeType] = mimeType
        attributes[Self.entityTag] = validators?.entityTag
        attributes[Self.lastModified] = validators?.lastModified
        attributes[Self.caching] = caching?.text
        return attributes
    }
}
