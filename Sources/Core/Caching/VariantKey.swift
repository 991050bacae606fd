import Synchronization

/// One entry of a cache: a source, the policy that it was fetched under, and what was made of it.
///
/// The original has an empty variant. A variant is the canonical text of the values that change pixels, sorted by name,
/// then the transformers in order: `thumbnailPixelSize=400x400|resize(200x200,fill)`. Two requests with equal keys get
/// equal pixels.
public struct VariantKey: Sendable {
    /// What all copies share. Hash and file names are computed once: a request that is used again does not pay again.
    private final class Storage: Sendable {
        let source: SourceKey
        let policy: String
        let variant: String
        let hash: Int
        /// Found when a disk cache first asks. Not behind a lock, which would be one more place in memory to look at.
        let diskName = AtomicLazyReference<DiskEntryName>()

        init(source: SourceKey, policy: String, variant: String) {
            self.source = source
            self.policy = policy
            self.variant = variant
            var hasher = Hasher()
            hasher.combine(source)
            hasher.combine(policy)
            hasher.combine(variant)
            hash = hasher.finalize()
        }
    }

    private let storage: Storage

    /// A key; of an original unless a variant is given.
    /// - Parameters:
    ///   - source: Where the image comes from.
    ///   - policy: The canonical text of the values that decide which bytes may be answered; empty by default.
    ///   - variant: The canonical text of what changes pixels; empty for the original.
    public init(source: SourceKey, policy: String = "", variant: String = "") {
        storage = Storage(source: source, policy: policy, variant: variant)
    }

    /// Where the image comes from.
    public var source: SourceKey { storage.source }
    /// The policy that it was fetched under; empty for the default.
    public var policy: String { storage.policy }
    /// What was made of the source; empty for the original.
    public var variant: String { storage.variant }
    /// The key of the original that this is made of.
    public var original: VariantKey { isOriginal ? self : VariantKey(source: source, policy: policy) }
    /// What a file for the key is called.
    var diskName: DiskEntryName {
        storage.diskName.load() ?? storage.diskName.storeIfNil(DiskEntryName(self))
    }
    /// Whether nothing was made of the source.
    public var isOriginal: Bool { variant.isEmpty }
}

extension VariantKey: Hashable, CustomStringConvertible {
    public static func == (one: VariantKey, other: VariantKey) -> Bool {
        one.storage === other.storage
            || one.storage.hash == other.storage.hash && one.source == other.source
                && one.variant.isSame(as: other.variant) && one.policy.isSame(as: other.policy)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(storage.hash) }

    /// The source, and in brackets what was made of it and under which policy.
    public var description: String {
        var text = source.text
        if !variant.isEmpty { text += " [\(variant)]" }
        if !policy.isEmpty { text += " {\(policy)}" }
        return text
    }
}

extension String {
    /// Whether both are the same bytes. Texts that differ only in how Unicode composes a letter have files of their
    /// own, and servers tell them apart, so they must not be one key in memory.
    package func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension String? {
    /// Whether both are the same bytes, or neither is there.
    package func isSame(as other: String?) -> Bool {
        switch (self, other) {
        case (let one?, let other?): one.isSame(as: other)
        case (nil, nil): true
        default: false
        }
    }
}
