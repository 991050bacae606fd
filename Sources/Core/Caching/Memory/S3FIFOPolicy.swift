/// Keeps what is used more than once, even while many others pass through: S3-FIFO, the default of
/// ``BoundedMemoryCache``.
///
/// Most images are looked at once or twice and never again. So what is new waits in a small queue, a tenth of the cost.
/// What was asked for at least twice by the time it leaves goes on to the main queue, and the rest is given up. The
/// main queue goes round: one that was asked for since its last turn stays for another. What the small queue gave up is
/// remembered for a while by its fingerprint, without the image, and goes straight to the main queue when it comes
/// back. A hit only counts up a number, so nothing is moved while images are being read.
///
/// Source: Yang, Zhang, Qiu, Yue and Vinayak, "FIFO queues are all you need for cache eviction", SOSP 2023. As there,
/// more than one use leads from the small queue to the main one, uses are counted up to three, a tenth is the small
/// queue's share, and as many are remembered as the main queue holds when it has the rest. Different from there:
/// - The share is of cost instead of a number of entries, and of what the cache holds instead of its limit. When the
///   cost limit is what is short, the two are the same; when the number of images is, only the former makes sense.
/// - Which queue gives is decided again after each move between queues, so that the main queue is what shrinks as soon
///   as the small one is within its share.
public struct S3FIFOPolicy: EvictionPolicy {
    private struct Entry {
        var fingerprint = 0
        var cost = 0
        var uses = 0
        var isInMain = false
    }

    /// The number of uses beyond which an image moves from the small queue to the main one.
    private static let passingUses = 1
    /// The maximum count of uses, which takes two bits. Images that were popular long ago do not stay long.
    private static let mostUses = 3
    /// One of how many parts of the cost is the small queue's.
    private static let parts = 10

    /// The entries by slot; those of empty slots have no meaning.
    private var entries: [Entry] = []
    private var links = SlotList.Links()
    private var small = SlotList()
    private var main = SlotList()
    private var smallCost = 0
    private var mainCost = 0
    private var ghost = Ghost()

    /// A policy that knows no image yet.
    public init() {}

    public mutating func insert(_ slot: Int, fingerprint: Int, cost: Int) {
        while entries.count <= slot { entries.append(Entry()) }
        entries[slot] = Entry(fingerprint: fingerprint, cost: cost)
        let isReturning = ghost.forget(fingerprint)
        enqueue(slot, inMain: isReturning)
    }

    public mutating func touch(_ slot: Int) {
        // What is popular has been counted to the end, so that its hits only read.
        if entries[slot].uses < Self.mostUses { entries[slot].uses += 1 }
    }

    public mutating func replace(_ slot: Int, fingerprint: Int, cost: Int) {
        let growth = cost - entries[slot].cost
        entries[slot].cost = cost
        if entries[slot].isInMain {
            mainCost += growth
        } else {
            smallCost += growth
        }
        touch(slot)
    }

    public mutating func remove(_ slot: Int) {
        dequeue(slot)
    }

    public mutating func evict() -> Int? {
        // Ends, because each turn takes one from the small queue or a use from one in the main queue.
        while let slot = candidate {
            dequeue(slot)
            if entries[slot].isInMain {
                guard entries[slot].uses > 0 else { return slot }
                entries[slot].uses -= 1
            } else {
                guard entries[slot].uses > Self.passingUses else {
                    let count = small.count + main.count + 1
                    ghost.remember(entries[slot].fingerprint, limit: count - count / Self.parts)
                    return slot
                }
                entries[slot].uses = 0
            }
            enqueue(slot, inMain: true)
        }
        return nil
    }

    /// The one to look at next: from the small queue if that has its share, else from the main one.
    private var candidate: Int? {
        let hasShare = smallCost >= (smallCost + mainCost) / Self.parts
        return hasShare ? small.first ?? main.first : main.first ?? small.first
    }

    private mutating func enqueue(_ slot: Int, inMain isInMain: Bool) {
        entries[slot].isInMain = isInMain
        if isInMain {
            main.append(slot, links: &links)
            mainCost += entries[slot].cost
        } else {
            small.append(slot, links: &links)
            smallCost += entries[slot].cost
        }
    }

    private mutating func dequeue(_ slot: Int) {
        if entries[slot].isInMain {
            main.remove(slot, links: &links)
            mainCost -= entries[slot].cost
        } else {
            small.remove(slot, links: &links)
            smallCost -= entries[slot].cost
        }
    }

    /// The fingerprints of what the small queue gave up last.
    private struct Ghost {
        /// Remembering number `n` put its fingerprint at `n` modulo the size of the ring.
        private var ring: [Int] = []
        private var oldest = 0
        private var next = 0
        /// The number under which each fingerprint was last remembered. One that is not here was forgotten before its
        /// turn, and its place in the ring is void.
        private var numbers: [Int: Int] = [:]

        /// Remembers a fingerprint, in place of the oldest ones where there are `limit` of them already.
        mutating func remember(_ fingerprint: Int, limit: Int) {
            guard limit > 0 else { return }
            while next - oldest >= limit { forgetOldest() }
            if next - oldest == ring.count { grow() }
            ring[next % ring.count] = fingerprint
            numbers[fingerprint] = next
            next += 1
        }

        /// Forgets a fingerprint; false when it was not remembered.
        mutating func forget(_ fingerprint: Int) -> Bool {
            numbers.removeValue(forKey: fingerprint) != nil
        }

        private mutating func forgetOldest() {
            let fingerprint = ring[oldest % ring.count]
            if numbers[fingerprint] == oldest { numbers[fingerprint] = nil }
            oldest += 1
        }

        private mutating func grow() {
            var larger = [Int](repeating: 0, count: max(16, ring.count * 2))
            for number in oldest..<next { larger[number % larger.count] = ring[number % ring.count] }
            ring = larger
        }
    }
}
