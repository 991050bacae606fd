import CalotypeStandard

/// An explanation for programs.
struct ExplanationReport: Encodable {
    /// An effective value.
    struct Value: Encodable {
        let key: String
        let value: String
        let layer: String
        /// The values of farther layers, the nearest first.
        let hidden: [Hidden]
        let isChangedByProcessor: Bool
    }

    /// A value that another one hides.
    struct Hidden: Encodable {
        let layer: String
        let value: String
    }

    /// A coder that would be asked.
    struct Coder: Encodable {
        let name: String
        let formats: [String]
    }

    /// The disk cache's copy of the image or its original. The memory cache of a tool is always empty.
    struct Copy: Encodable {
        let cache: String
        let isOnDisk: Bool
        /// The length in bytes; nil if the cache does not report it.
        let byteCount: Int?
        /// The age in seconds, as reported by the cache; nil if unknown.
        let age: Int?
        /// The remaining lifetime in seconds; nil if unlimited.
        let secondsLeft: Int?
        /// The reason why the cache could not be queried.
        let failure: String?
    }

    let url: String
    let values: [Value]
    let sourceKey: String
    /// The variant's key; empty for the original.
    let variantKey: String
    let policy: String
    let transfer: String
    let loader: String?
    /// The loaders that would be asked first, and reject the URL.
    let passedLoaders: [String]
    let coders: [Coder]
    let transformers: [String]
    let cachedIn: String
    /// The copy of the image; nil without a cache.
    let image: Copy?
    /// The copy of the original; nil without a cache, or if the image is the original.
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
    /// - Parameter now: The time of the explanation, in seconds since 1970.
    fileprivate init(_ copy: Explanation.Copy, at now: Double) {
        cache = copy.cache
        isOnDisk = copy.tiers.contains(.disk)
        byteCount = copy.entry?.byteCount
        age = copy.entry?.start.map { Self.seconds(now - $0) }
        secondsLeft = copy.entry?.expiration.map { Self.seconds($0 - now) }
        failure = copy.failure?.description
    }

    /// Returns a number of seconds, which is bounded, since a file's date can be arbitrary.
    private static func seconds(_ value: Double) -> Int { Int(min(max(0, value), 1e15)) }
}
