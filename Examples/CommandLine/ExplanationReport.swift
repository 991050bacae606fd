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

    let url: String
    let values: [Value]
    let sourceKey: String
    /// Empty for the original.
    let variantKey: String
    let policy: String
    let transfer: String
    let loader: String?
    let coders: [Coder]
    let transformers: [String]
    let cachedIn: String

    init(_ explanation: Explanation) {
        url = explanation.url
        values = explanation.values.map { value in
            Value(
                key: value.key.name, value: value.text, layer: String(describing: value.layer),
                hidden: value.hidden.map { Hidden(layer: String(describing: $0.layer), value: $0.text) },
                isChangedByProcessor: value.isChangedByProcessor)
        }
        sourceKey = explanation.source.text
        variantKey = explanation.variant.variant
        policy = explanation.variant.policy
        transfer = explanation.transferDigest
        loader = explanation.loader
        coders = explanation.coders.map { Coder(name: $0.name, formats: $0.formats) }
        transformers = explanation.transformers
        cachedIn = explanation.cached.contextText
    }
}
