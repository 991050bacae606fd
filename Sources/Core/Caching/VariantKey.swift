import Synchronization

/// One entry of a cache: a source, the policy that it was fetched under, and what was made of it.
///
/// The original has an empty variant. A variant is the canonical text of the values that change pixels, sorted by name,
/// then the transformers in order: `thumbnailPixelSize=400x400|resize(200x200,fill)`. Two requests with equal keys get
/// equal pixels.
public struct VariantKey: Sendable {
    /// The storage that all copies share. Hash and file names are computed once: a request that is used again does not
    /// pay again.
    private final class Storage: Sendable {
        let source: SourceKey
        let policy: IdentityText
        let variant: IdentityText
        let hash: Int
        /// Found when a disk cache first asks. Not behind a lock, which would be one more place in memory to look at.
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

    /// A key; of an original unless a variant is given.
    /// - Parameters:
    ///   - source: Where the image comes from.
    ///   - policy: The canonical text of the values that decide which bytes may be answered; empty by default. Shown as
    ///     it is.
    ///   - variant: The canonical text of what changes pixels; empty for the original. Shown as it is.
    public init(source: SourceKey, policy: String = "", variant: String = "") {
        self.init(source: source, policy: IdentityText(policy), variant: IdentityText(variant))
    }

    init(source: SourceKey, policy: IdentityText, variant: IdentityText) {
        storage = Storage(source: source, policy: policy, variant: variant)
    }

    /// The source of the image.
    public var source: SourceKey { storage.source }
    /// The policy that it was fetched under, in full; empty for the default.
    ///
    /// It can hold secrets, such as headers: print the ``shownPolicy``, and store a keyed digest.
    public var policy: String { storage.policy.full }
    /// The steps that were applied to the source, in full; empty for the original.
    public var variant: String { storage.variant.full }
    /// The policy without what is secret in it.
    public var shownPolicy: String { storage.policy.shown }
    /// The steps that were applied to the source, without their secrets.
    public var shownVariant: String { storage.variant.shown }
    /// The key of the original that this is made of.
    public var original: VariantKey {
        isOriginal ? self : VariantKey(source: source, policy: storage.policy, variant: IdentityText(""))
    }
    /// Returns the name of the file for the key in a directory that has a secret.
    func diskName(under secret: DirectorySecret) -> DiskEntryName {
        let known = storage.diskName.load() ?? storage.diskName.storeIfNil(DiskEntryName(self, under: secret))
        return known.name(of: self, under: secret)
    }
    /// Whether nothing was made of the source.
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
    /// The source, and in brackets what was made of it and under which policy, all without what may be secret.
    public var description: String {
        var text = source.description
        if !shownVariant.isEmpty { text += " [\(shownVariant)]" }
        if !shownPolicy.isEmpty { text += " {\(shownPolicy)}" }
        return text
    }

    /// The description, so that no dump holds more.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
