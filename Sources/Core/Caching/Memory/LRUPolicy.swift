/// A policy that evicts the least recently used image, whatever its cost.
///
/// It is easy to predict, but a scan through many images evicts everything that was in use: use ``S3FIFOPolicy`` if the
/// hit ratio matters.
public struct LRUPolicy: EvictionPolicy {
    /// The slots, the least recently used first.
    private var recency = SlotList()
    private var links = SlotList.Links()

    /// Creates a policy that knows no images.
    public init() {}

    public mutating func insert(_ slot: Int, fingerprint: Int, cost: Int) {
        recency.append(slot, links: &links)
    }

    public mutating func touch(_ slot: Int) {
        guard slot != recency.last else { return }
        recency.remove(slot, links: &links)
        recency.append(slot, links: &links)
    }

    public mutating func remove(_ slot: Int) {
        recency.remove(slot, links: &links)
    }

    public mutating func evict() -> Int? {
        guard let slot = recency.first else { return nil }
        recency.remove(slot, links: &links)
        return slot
    }
}
