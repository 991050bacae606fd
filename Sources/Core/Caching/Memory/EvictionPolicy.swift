/// A policy that chooses the images that a ``BoundedMemoryCache`` evicts when it has no room.
///
/// A policy identifies an image by its slot: a small number, 0 or more. A slot is reused after its image is gone. A
/// complete policy:
///
/// ```swift
/// /// The largest image goes first.
/// struct LargestFirstPolicy: EvictionPolicy {
///     private var costs: [Int: Int] = [:]
///
///     mutating func insert(_ slot: Int, fingerprint: Int, cost: Int) { costs[slot] = cost }
///     mutating func touch(_ slot: Int) {}
///     mutating func remove(_ slot: Int) { costs[slot] = nil }
///     mutating func evict() -> Int? {
///         let largest = costs.max { $0.value < $1.value }?.key
///         if let largest { remove(largest) }
///         return largest
///     }
/// }
/// ```
///
/// Make a policy a value type: a cache mutates its own copy, in place. A policy is called by one thread at a time,
/// while the cache is locked, so calls must return quickly and must not call the cache. `touch` is part of every hit
/// and should not allocate memory. The cache enforces the limits: it asks for one slot after another until there is
/// room, and only then inserts the new image.
///
/// The policy knows the slots that were inserted and since then neither removed nor evicted. A slot is inserted only
/// while it is unknown, and touched, replaced and removed only while it is known. If `evict` returns a slot without an
/// image, or nil while the cache has images, the cache ends the process. `checkEvictionPolicy` of CalotypeTesting finds
/// such errors earlier.
public protocol EvictionPolicy: Sendable {
    /// Inserts a slot, in which the cache has put an image.
    /// - Parameters:
    ///   - fingerprint: The hash of the image's key: constant while the process runs, and rarely equal for two keys.
    ///   - cost: The cost of the image, in bytes; zero or more. The sum over all slots is at most `Int.max`.
    mutating func insert(_ slot: Int, fingerprint: Int, cost: Int)

    /// Notes a use of the image in a slot.
    mutating func touch(_ slot: Int)

    /// Notes that the image in a slot was replaced by a new one for the same key. Counts as a use. Default: removes the
    /// slot and inserts it again.
    mutating func replace(_ slot: Int, fingerprint: Int, cost: Int)

    /// Forgets a slot. Called when the image in the slot is removed, not evicted.
    mutating func remove(_ slot: Int)

    /// Chooses a slot, forgets it, and returns it. Returns nil if no slot is left, and only then.
    mutating func evict() -> Int?
}

extension EvictionPolicy {
    public mutating func replace(_ slot: Int, fingerprint: Int, cost: Int) {
        remove(slot)
        insert(slot, fingerprint: fingerprint, cost: cost)
    }
}

extension EvictionPolicy where Self == S3FIFOPolicy {
    /// A policy that keeps images used more than once, even while many others pass through. The default.
    public static var s3FIFO: S3FIFOPolicy { S3FIFOPolicy() }
}

extension EvictionPolicy where Self == LRUPolicy {
    /// A policy that evicts the least recently used image.
    public static var lru: LRUPolicy { LRUPolicy() }
}
