import CalotypeStandard

/// An explanation for programs.
struct ExplanationReport: Encodable {
    /// A value in force.
    struct Value: Encodable {
        let key: String
        let value: String
        let layer: String
        /// What farther layers had said, the nearest first.
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

    /// What the cache on disk has of the image, or of its original; memory is empty where a tool begins.
    struct Copy: Encodable {
        let cache: String
        let isOnDisk: Bool
        /// Nil where the cache tells no more.
        let byteCount: Int?
        /// In seconds, as the cache counts; nil where it does not know.
        let age: Int?
        /// Nil where nothing limits it.
        let secondsLeft: Int?
        /// Why the cache could not be asked.
        let failure: String?
    }

    let url: String
    let values: [Value]
    let sourceKey: String
    /// Empty for the original.
    let variantKey: String
    let policy: String
    let transfer: String
    let loader: String?
    /// Those that would be asked before it, and do not take the URL.
    let passedLoaders: [String]
    let coders: [Coder]
    let transformers: [String]
    let cachedIn: String
    /// Nil without a cache.
    let image: Copy?
    /// Nil without a cache, and where the image is the original itself.
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
        variantKey = explanation.variant.shownVariant
        policy = explanation.variant.shownPolicy
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
    /// - Parameter now: When that was so, in seconds since 1970.
    fileprivate init(_ copy: Explanation.Copy, at now: Double) {
        cache = copy.cache
        isOnDisk = copy.tiers.contains(.disk)
        byteCount = copy.entry?.byteCount
        age = copy.entry?.start.map { Self.seconds(now - $0) }
        secondsLeft = copy.entry?.expiration.map { Self.seconds($0 - now) }
        failure = copy.failure?.description
    }

    /// With an end, since a file's date can be anything.
    private static func seconds(_ value: Double) -> Int { Int(min(max(0, value), 1e15)) }
}
