/// A queue of elements with deadlines: the earliest comes first, and among equals the one that came first. Elements can
/// be taken out before.
struct DeadlineQueue<Element> {
    /// A place in the queue. It is stale when its ticket has gone.
    private struct Place: Comparable {
        let time: Duration
        let ticket: Int

        /// Whether its turn comes before that of another.
        static func < (one: Place, other: Place) -> Bool {
            one.time == other.time ? one.ticket < other.ticket : one.time < other.time
        }
    }

    /// The elements by ticket; tickets are numbered in the order of arrival.
    private var waiting: [Int: Element] = [:]
    /// The places in the order of their turns. The first is not stale.
    private var heap = Heap<Place>()
    private var nextTicket = 0

    var count: Int { waiting.count }

    /// The number of places, including those of elements that have gone.
    var placeCount: Int { heap.count }

    /// The earliest deadline; nil if there is none.
    var earliest: Duration? { heap.first?.time }

    /// Adds an element and returns the ticket by which it can be found again.
    mutating func add(_ element: Element, at time: Duration) -> Int {
        let ticket = nextTicket
        nextTicket += 1
        waiting[ticket] = element
        heap.push(Place(time: time, ticket: ticket))
        return ticket
    }

    /// Takes an element out; nil when it is no longer there.
    mutating func remove(_ ticket: Int) -> Element? {
        defer { tidy() }
        return waiting.removeValue(forKey: ticket)
    }

    /// Takes out the first, where it is due at a time or before.
    mutating func next(by time: Duration) -> Element? {
        guard let first = heap.first, first.time <= time else { return nil }
        heap.pop()
        defer { tidy() }
        return waiting.removeValue(forKey: first.ticket)
    }

    /// Removes the places of elements that have gone, in front and where they pile up.
    private mutating func tidy() {
        if heap.count > 64, heap.count > 2 * waiting.count { heap = heap.filter { waiting[$0.ticket] != nil } }
        while let first = heap.first, waiting[first.ticket] == nil { heap.pop() }
    }
}
