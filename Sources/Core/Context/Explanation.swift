/// Why a request does what it does: each value in force with the layer that it comes from, and what follows from them.
///
/// `description` is for people:
///
/// ```text
/// thumbnailPixelSize  400x400    (request; over manager: 800x800)
/// ```
public struct Explanation: Sendable {
    /// A value in force.
    public struct Value: Sendable {
        /// The key.
        public let key: ContextDeclaration
        /// The value as text.
        public let text: String
        /// The layer that set it.
        public let layer: ContextLayer
        /// What farther layers had said, the nearest first.
        public let hidden: [(layer: ContextLayer, text: String)]
        /// Whether the options processor set it to something else than it found.
        public let isChangedByProcessor: Bool
    }

    /// The URL without credentials.
    public let url: String
    /// Every value that a layer has set, sorted by name.
    public let values: [Value]
    /// Where the image comes from, as caches know it.
    public let source: SourceKey
    /// Under which key the image is cached.
    public let variant: VariantKey
    /// A digest of what decides whether two requests may share a transfer; it is not printed itself, since it can hold
    /// secrets.
    public let transferDigest: String
    /// The loader that takes the URL; nil when none does.
    public let loader: String?
    /// The coders in the order in which they will be asked, with their formats.
    public let coders: [(name: String, formats: [String])]
    /// The keys of the transformers in the order in which they are applied.
    public let transformers: [String]
    /// Those tiers of its cache that have the image now.
    public let cached: CacheTiers
}

extension Explanation: CustomStringConvertible {
    public var description: String {
        var rows: [(String, String)] = [("url", url)]
        for value in values {
            var origin = String(describing: value.layer)
            if value.isChangedByProcessor { origin += ", changed" }
            let below = value.hidden.map { "\($0.layer): \($0.text)" }.joined(separator: ", ")
            if !below.isEmpty { origin += "; over \(below)" }
            rows.append((value.key.name, "\(value.text)    (\(origin))"))
        }
        rows.append(("source key", source.text))
        rows.append(("variant key", variant.variant.isEmpty ? "the original itself" : variant.variant))
        if !variant.policy.isEmpty { rows.append(("policy", variant.policy)) }
        rows.append(("transfer", transferDigest))
        rows.append(("loader", loader ?? "none takes this URL"))
        let asked = coders.map { "\($0.name) (\($0.formats.joined(separator: ", ")))" }
        rows.append(("coders", asked.isEmpty ? "none is installed" : asked.joined(separator: ", then ")))
        rows.append(("transformers", transformers.isEmpty ? "none" : transformers.joined(separator: ", then ")))
        rows.append(("cached in", cached.contextText))
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, text in
            name + String(repeating: " ", count: width - name.count) + "  " + text
        }.joined(separator: "\n")
    }
}
