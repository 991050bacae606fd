/// A policy that keeps images used more than once, even while many others pass through: S3-FIFO, the default of
/// ``BoundedMemoryCache``.
///
/// Most images are used once or twice and never again. New images therefore wait in a small queue, whose share is a
/// tenth of the cost of all images. An image that has been used at least twice by the time it leaves the small queue
/// moves on to the main queue; other images are evicted. The main queue is circular: an image that reaches the front
/// gives up one of its counted uses and returns to the end. An image without counted uses is evicted. For a while, the
/// policy remembers the fingerprints of images that were evicted from the small queue. If such an image is stored
/// again, it goes straight to the main queue. A hit only increments a count, so nothing is moved while images are read.
///
/// Source: Yang, Zhang, Qiu, Yue and Vinayak, "FIFO queues are all you need for cache eviction", SOSP 2023. As in the
/// paper, an image needs more than one use to move from the small queue to the main one, uses are counted up to three,
/// the small queue's share is a tenth, and the number of remembered fingerprints is at most nine tenths of the number
/// of images. There are two differences:
/// - The small queue's share is a tenth of the cost of the images in the cache. In the paper, it is a tenth of the
///   number of entries that the cache may hold. The contents are the better measure, since a cache that is limited by
///   its number of images may stay far below its cost limit.
/// - The queue to evict from is chosen again after each move between queues, so that the main queue shrinks as soon as
///   the small one is within its share.
public struct S3FIFOPolicy: EvictionPolicy {
    private struct Entry {
        var fingerprint = 0
        var cost = 0
        var uses = 0
        var isInMain = false
    }

    /// The number of uses beyond which an image moves from the small queue to the main one.
    private static let passingUses = 1
    /// The maximum count of uses. It is low, so that images that were popular long ago leave soon.
    private static let mostUses = 3
    /// The number by which the cost of all images is divided to get the share of the small queue.
    private static let parts = 10

    /// The entries, indexed by slot. The entries of slots that the policy does not know have no meaning.
    private var entries: [Entry] = []
    private var links = SlotList.Links()
    private var small = SlotList()
    private var main = SlotList()
    private var smallCost = 0
    private var mainCost = 0
    private var ghost = Ghost()

    /// Creates a policy that knows no images.
    public init() {}

    public mutating func insert(_ slot: Int, fingerprint: Int, cost: Int) {
        while entries.count <= slot { entries.append(Entry()) }
        entries[slot] = Entry(fingerprint: fingerprint, cost: cost)
        let isReturning = ghost.forget(fingerprint)
        enqueue(slot, inMain: isReturning)
    }

    public mutating func touch(_ slot: Int) {
        // Counts of popular images are at their maximum, so that their hits only read.
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
        // Terminates, since each iteration that does not return takes an image from the small queue, or a use from an
        // image in the main queue.
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

    /// The slot to consider next for eviction; nil if both queues are empty.
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

    /// The fingerprints of the images that the small queue evicted last.
    private struct Ghost {
        /// A ring buffer of the remembered fingerprints. The fingerprint with the sequence number `n` is at index `n`
        /// modulo the size of the ring.
        private var ring: [Int] = []
        /// The sequence number of the oldest fingerprint in the ring.
        private var oldest = 0
        /// The sequence number for the next fingerprint to remember.
        private var next = 0
        /// The latest sequence number of each remembered fingerprint. A fingerprint without a number here was
        /// forgotten, even if it is still in the ring.
        private var numbers: [Int: Int] = [:]

        /// Remembers a fingerprint. Forgets the oldest ones if there are `limit` already.
        mutating func remember(_ fingerprint: Int, limit: Int) {
            guard limit > 0 else { return }
            while next - oldest >= limit { forgetOldest() }
            if next - oldest == ring.count { grow() }
            ring[next % ring.count] = fingerprint
            numbers[fingerprint] = next
            next += 1
        }

        /// Forgets a fingerprint. Returns false if it was not remembered.
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
