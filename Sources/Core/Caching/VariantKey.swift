import Synchronization

/// The key of an entry in a cache. It consists of a source, the policy under which the source was fetched, and the
/// variant that was made from it.
///
/// For an original, the variant is empty. Otherwise, it is a text that lists the values that change pixels, sorted by
/// name, and then the transformers in their order. An example is `thumbnailPixelSize=400x400|resize(200x200,fill)`.
/// Requests with equal keys share a cached image.
public struct VariantKey: Sendable {
    /// The storage that all copies of a key share, so that the hash and the file name are computed only once.
    private final class Storage: Sendable {
        let source: SourceKey
        let policy: IdentityText
        let variant: IdentityText
        let hash: Int
        /// The name of the key's file on disk, computed at first use. An atomic reference is faster than a lock.
        let diskName = AtomicLazyReference<DiskEntryName>()

        init(source: SourceKey, policy: IdentityText, variant: IdentityText) {
            self.source = source
            self.policy = policy
            self.variant = variant
            var hasher = Hasher()
            hasher.combine(source)
            hasher.combine(policy.full)
            hasher.combine(variant.full)
            hash = hasher.finalize()
        }
    }

    private let storage: Storage

    /// Creates a key. By default, it is the key of an original.
    /// - Parameters:
    ///   - source: The source of the image.
    ///   - policy: The canonical text of the values that decide which cache entries may answer a request; empty by
    ///     default. Printed without redaction.
    ///   - variant: The canonical text of the values that change pixels; empty for the original. Printed without
    ///     redaction.
    public init(source: SourceKey, policy: String = "", variant: String = "") {
        self.init(source: source, policy: IdentityText(policy), variant: IdentityText(variant))
    }

    init(source: SourceKey, policy: IdentityText, variant: IdentityText) {
        storage = Storage(source: source, policy: policy, variant: variant)
    }

    /// The source of the image.
    public var source: SourceKey { storage.source }
    /// The context values that decide which cache entries may answer a request, as a canonical text, in full. Empty for
    /// the default values.
    ///
    /// The policy may contain secrets, such as headers. Print the ``redactedPolicy`` instead, and store only a keyed
    /// digest.
    public var policy: String { storage.policy.full }
    /// The settings and transformers that were applied to the original, in full; empty for the original itself.
    public var variant: String { storage.variant.full }
    /// The text of ``policy`` without its secrets.
    public var redactedPolicy: String { storage.policy.shown }
    /// The settings and transformers that were applied to the original, without their secrets.
    public var redactedVariant: String { storage.variant.shown }
    /// The key of the original from which the variant is made.
    public var original: VariantKey {
        isOriginal ? self : VariantKey(source: source, policy: storage.policy, variant: IdentityText(""))
    }
    /// Returns the file name for the key in a directory with the given secret.
    func diskName(under secret: DirectorySecret) -> DiskEntryName {
        let known = storage.diskName.load() ?? storage.diskName.storeIfNil(DiskEntryName(self, under: secret))
        return known.name(of: self, under: secret)
    }
    /// Whether this is the key of an original.
    public var isOriginal: Bool { storage.variant.isEmpty }
}

extension VariantKey: Hashable {
    public static func == (one: VariantKey, other: VariantKey) -> Bool {
        one.storage === other.storage
            || one.storage.hash == other.storage.hash && one.source == other.source
                && one.variant.isSame(as: other.variant) && one.policy.isSame(as: other.policy)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(storage.hash) }
}

extension VariantKey: CustomStringConvertible, CustomReflectable {
    /// The source, followed by the variant in brackets and the policy in braces, without the parts that may be secret.
    public var description: String {
        var text = source.description
        if !redactedVariant.isEmpty { text += " [\(redactedVariant)]" }
        if !redactedPolicy.isEmpty { text += " {\(redactedPolicy)}" }
        return text
    }

    /// A mirror of the description, so that a dump shows no more than that.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
