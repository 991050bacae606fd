/// Gives up what has not been used for longest, whatever it costs.
///
/// Easy to foresee, but a scan through many images drives out everything that was in use: ``S3FIFOPolicy`` is better
/// where hits matter.
public struct LRUPolicy: EvictionPolicy {
    /// The least recently used stands first.
    private var recency = SlotList()
    private var links = SlotList.Links()

    /// A policy that knows no image yet.
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
