/// Chooses which image a ``BoundedMemoryCache`` gives up when it has no room.
///
/// A policy knows images by the slot that they lie in: a small number from 0, which is used again when its image has
/// gone. A whole policy:
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
/// Make it a value: a cache mutates its own copy, in place. It is called by one thread at a time, while the cache is
/// locked, so every call must return at once and none may call the cache; `touch` is part of every hit and should not
/// allocate memory. The limits are the cache's business: it asks for one victim after another until there is room, and
/// only then inserts what the room is for.
///
/// The slots that a policy knows are those that were inserted and since then neither removed nor evicted. A slot is
/// inserted only while it is not known, and touched, replaced and removed only while it is. A policy that loses count
/// of them ends the process at the cache's next eviction; `checkEvictionPolicy` of CalotypeTesting finds it before.
public protocol EvictionPolicy: Sendable {
    /// An image has come to a slot that was empty.
    /// - Parameters:
    ///   - slot: Where it lies.
    ///   - fingerprint: The hash of its key, for policies that remember what they gave up. The same as long as the
    ///     process runs; two keys hardly ever share one.
    ///   - cost: What it takes of the cost limit, in bytes; zero or more. Those of all slots come to `Int.max` at most.
    mutating func insert(_ slot: Int, fingerprint: Int, cost: Int)

    /// The image in a slot was asked for.
    mutating func touch(_ slot: Int)

    /// The image in a slot has given way to another one under the same key, which counts as a use.
    ///
    /// Unless implemented, the slot is removed and inserted again.
    mutating func replace(_ slot: Int, fingerprint: Int, cost: Int)

    /// The image in a slot was removed by a caller: forget the slot.
    mutating func remove(_ slot: Int)

    /// Chooses a slot, forgets it, and returns it; nil when there is none left, and only then.
    mutating func evict() -> Int?
}

extension EvictionPolicy {
    public mutating func replace(_ slot: Int, fingerprint: Int, cost: Int) {
        remove(slot)
        insert(slot, fingerprint: fingerprint, cost: cost)
    }
}

extension EvictionPolicy where Self == S3FIFOPolicy {
    /// Keeps what is used more than once, even while many others pass through. The default.
    public static var s3FIFO: S3FIFOPolicy { S3FIFOPolicy() }
}

extension EvictionPolicy where Self == LRUPolicy {
    /// Gives up what has not been used for longest.
    public static var lru: LRUPolicy { LRUPolicy() }
}
