import CalotypeStandard

/// The JSON output of `calotype explain`.
struct ExplanationReport: Encodable {
    /// An effective value of a context key.
    struct Value: Encodable {
        let key: String
        let value: String
        let layer: String
        /// The values that farther layers set for the same key, the nearest layer first. `value` takes precedence over
        /// them.
        let hidden: [Hidden]
        let isChangedByProcessor: Bool
    }

    /// A value that is overridden by that of a nearer layer.
    struct Hidden: Encodable {
        let layer: String
        let value: String
    }

    /// A coder that a load would ask to decode the file.
    struct Coder: Encodable {
        let name: String
        let formats: [String]
    }

    /// The state of the disk cache for an image or its original. The memory cache is not included, because it is always
    /// empty when the tool starts.
    struct Copy: Encodable {
        let cache: String
        let isOnDisk: Bool
        /// The number of bytes that the entry takes in the cache; nil if there is no entry or its size is not known.
        let byteCount: Int?
        /// The age of the entry, in seconds; nil if there is no entry or its age is not known.
        let age: Int?
        /// The time until the entry expires, in seconds; nil if there is no entry or it never expires.
        let secondsLeft: Int?
        /// The reason why the cache could not be queried; nil if it was queried.
        let failure: String?
    }

    let url: String
    let values: [Value]
    let sourceKey: String
    /// The variant part of the cache key; empty for the original.
    let variantKey: String
    let policy: String
    let transfer: String
    let loader: String?
    /// The loaders that precede `loader` and reject the URL.
    let passedLoaders: [String]
    let coders: [Coder]
    let transformers: [String]
    let cachedIn: String
    /// The state of the cache for the image; nil if the request uses no cache.
    let image: Copy?
    /// The state of the cache for the original; nil if the request uses no cache, or if the image is the original.
    let original: Copy?
    let freshness: String?
    let failure: String?
    let retries: String
    let alternatives: [String]

    init(_ explanation: Explanation) {
        url = explanation.url
        values = explanation.values.map { value in
            Value(
                key: value.key.name, value: value.text, layer: String(describing: value.layer),
                hidden: value.hidden.map { Hidden(layer: String(describing: $0.layer), value: $0.text) },
                isChangedByProcessor: value.isChangedByProcessor)
        }
        sourceKey = explanation.source.description
        variantKey = explanation.variant.redactedVariant
        policy = explanation.variant.redactedPolicy
        transfer = explanation.transferDigest
        loader = explanation.loader
        coders = explanation.coders.map { Coder(name: $0.name, formats: $0.formats) }
        transformers = explanation.transformers
        passedLoaders = explanation.passedLoaders
        cachedIn = (explanation.image?.tiers ?? []).contextText
        image = explanation.image.map { Copy($0, at: explanation.time) }
        original = explanation.original.map { Copy($0, at: explanation.time) }
        freshness = explanation.freshness
        failure = explanation.failure?.description
        retries = explanation.retries
        alternatives = explanation.alternatives
    }
}

extension ExplanationReport.Copy {
    /// Creates the report on a cached copy.
    /// - Parameter now: The time of the explanation, in seconds since 1970.
    fileprivate init(_ copy: Explanation.Copy, at now: Double) {
        cache = copy.cache
        isOnDisk = copy.tiers.contains(.disk)
        byteCount = copy.entry?.byteCount
        age = copy.entry?.start.map { Self.seconds(now - $0) }
        secondsLeft = copy.entry?.expiration.map { Self.seconds($0 - now) }
        failure = copy.failure?.description
    }

    /// Returns a number of whole seconds, limited to 0...1e15, because the date of a file can be any number.
    private static func seconds(_ value: Double) -> Int { Int(min(max(0, value), 1e15)) }
}
