/// A queue of elements that are ordered by deadline, then by arrival. Elements can be removed at any time.
struct DeadlineQueue<Element> {
    /// An entry of the heap: the deadline and the ticket of an element. It is stale if the element has been removed.
    private struct Place: Comparable {
        let time: Duration
        let ticket: Int

        /// Returns whether one entry of the heap comes before another.
        static func < (one: Place, other: Place) -> Bool {
            one.time == other.time ? one.ticket < other.ticket : one.time < other.time
        }
    }

    /// The elements by ticket. Tickets are numbered in the order of arrival.
    private var waiting: [Int: Element] = [:]
    /// The entries in the order of their turns. The first one is not stale.
    private var heap = Heap<Place>()
    private var nextTicket = 0

    var count: Int { waiting.count }

    /// The number of entries of the heap, including stale ones.
    var placeCount: Int { heap.count }

    /// The earliest deadline; nil if there is none.
    var earliest: Duration? { heap.first?.time }

    /// Adds an element and returns its ticket.
    mutating func add(_ element: Element, at time: Duration) -> Int {
        let ticket = nextTicket
        nextTicket += 1
        waiting[ticket] = element
        heap.push(Place(time: time, ticket: ticket))
        return ticket
    }

    /// Removes and returns the element of a ticket; nil if it has already been removed.
    mutating func remove(_ ticket: Int) -> Element? {
        defer { tidy() }
        return waiting.removeValue(forKey: ticket)
    }

    /// Removes and returns the first element if its deadline is not later than `time`. Otherwise returns nil.
    mutating func next(by time: Duration) -> Element? {
        guard let first = heap.first, first.time <= time else { return nil }
        heap.pop()
        defer { tidy() }
        return waiting.removeValue(forKey: first.ticket)
    }

    /// Removes the stale entries at the front of the heap. If there are many stale entries, removes all of them.
    private mutating func tidy() {
        if heap.count > 64, heap.count > 2 * waiting.count { heap = heap.filter { waiting[$0.ticket] != nil } }
        while let first = heap.first, waiting[first.ticket] == nil { heap.pop() }
    }
}
