/// A queue of elements that are ordered by priority, then by arrival. Priorities can change while elements wait.
struct PriorityQueue<Element> {
    /// An entry of the heap. It is stale if its element has been removed, or has another priority by now.
    private struct Place: Comparable {
        let priority: Priority
        let ticket: Int

        /// Returns whether one entry of the heap comes before another.
        static func < (one: Place, other: Place) -> Bool {
            one.priority == other.priority ? one.ticket < other.ticket : one.priority > other.priority
        }
    }

    /// The elements by ticket. Tickets are numbered in the order of arrival.
    private var waiting: [Int: (element: Element, priority: Priority)] = [:]
    /// The entries, ordered as the queue orders their elements. The first entry is never stale.
    private var heap = Heap<Place>()
    private var nextTicket = 0

    var count: Int { waiting.count }

    /// The highest priority of the waiting elements; nil if there are none.
    var highestPriority: Priority? { heap.first?.priority }

    /// The element that ``next()`` would return; nil if there is none.
    var first: Element? { heap.first.flatMap { waiting[$0.ticket]?.element } }

    /// Returns whether the first element precedes this ticket and priority; false if the queue is empty.
    func firstPrecedes(_ ticket: Int, priority: Priority) -> Bool {
        heap.first.map { $0 < Place(priority: priority, ticket: ticket) } ?? false
    }

    /// Returns a ticket for an element that arrives now and may be added later.
    mutating func makeTicket() -> Int {
        defer { nextTicket += 1 }
        return nextTicket
    }

    /// Adds an element and returns its ticket.
    mutating func add(_ element: Element, priority: Priority) -> Int {
        let ticket = makeTicket()
        add(element, priority: priority, ticket: ticket)
        return ticket
    }

    /// Adds an element with a ticket that was made earlier. Elements of equal priority are ordered by their tickets.
    /// The queue must not contain the ticket already.
    mutating func add(_ element: Element, priority: Priority, ticket: Int) {
        waiting[ticket] = (element, priority)
        heap.push(Place(priority: priority, ticket: ticket))
    }

    /// Changes the priority of an element. Does nothing if the element is no longer waiting.
    mutating func setPriority(_ priority: Priority, of ticket: Int) {
        guard let entry = waiting[ticket], entry.priority != priority else { return }
        waiting[ticket]?.priority = priority
        heap.push(Place(priority: priority, ticket: ticket))
        tidy()
    }

    /// Removes and returns the element of a ticket. Returns nil if the element is no longer waiting.
    mutating func remove(_ ticket: Int) -> Element? {
        defer { tidy() }
        return waiting.removeValue(forKey: ticket)?.element
    }

    /// Removes and returns the first element. Returns nil if there is none.
    mutating func next() -> Element? {
        guard let place = heap.pop() else { return nil }
        defer { tidy() }
        return waiting.removeValue(forKey: place.ticket)?.element
    }

    /// Removes the stale entries at the front of the heap. If there are many stale entries, removes all of them.
    private mutating func tidy() {
        if heap.count > 64, heap.count > 2 * waiting.count {
            heap = Heap()
            for (ticket, entry) in waiting { heap.push(Place(priority: entry.priority, ticket: ticket)) }
        }
        while let place = heap.first, waiting[place.ticket]?.priority != place.priority { heap.pop() }
    }
}
