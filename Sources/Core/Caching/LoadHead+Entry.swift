/// The part of a response's head that a cache stores beside an original.
extension LoadHead {
    private static let mimeType = "mimeType"
    private static let entityTag = "entityTag"
    private static let lastModified = "lastModified"
    private static let caching = "http"

    /// Creates the response head of a cached original from the attributes of its entry.
    init(_ entry: CacheEntry) {
        let attributes = entry.attributes
        let (tag, date) = (attributes[Self.entityTag], attributes[Self.lastModified])
        self.init(
            expectedByteCount: entry.data.count, mimeType: attributes[Self.mimeType],
            validators: tag == nil && date == nil ? nil : Validators(entityTag: tag, lastModified: date))
        caching = attributes[Self.caching].flatMap { HTTPCacheRecord(text: $0) }
    }

    /// Returns the response head of a cached original after its source has confirmed that the original is still valid.
    /// - Parameters:
    ///   - newer: The head of the confirmation; nil if the confirmation has no head.
    ///   - requestField: Returns the value of a header field of the request that the source answered.
    func updated(by newer: LoadHead?, requestField: (_ name: String) -> String?) -> LoadHead {
        var head = self
        // The tag belongs to the cached bytes, even if the confirmation has another one.
        var validators = validators ?? Validators()
        validators.entityTag = validators.entityTag ?? newer?.validators?.entityTag
        validators.lastModified = newer?.validators?.lastModified ?? validators.lastModified
        head.validators = validators == Validators() ? nil : validators
        head.caching = newer?.caching.map { caching?.updated(by: $0, requestField: requestField) ?? $0 } ?? caching
        return head
    }

    /// The attributes in which an entry stores this head.
    var attributes: [String: String] {
        var attributes: [String: String] = [:]
        attributes[Self.mimeType] = mimeType
        attributes[Self.entityTag] = validators?.entityTag
        attributes[Self.lastModified] = validators?.lastModified
        attributes[Self.caching] = caching?.text
        return attributes
    }
}
