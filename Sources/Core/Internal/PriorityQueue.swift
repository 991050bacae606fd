/// What waits, the most urgent first, and among equals the one who came first; urgency can change while waiting.
struct PriorityQueue<Element> {
    private struct Entry {
        var element: Element
        var priority: Priority
    }

    /// By ticket.
    private var entries: [Int: Entry] = [:]
    /// For each priority the tickets in the order of arrival. A ticket may be stale: gone, or now of another priority.
    private var lines: [Priority: Line] = [:]
    private var nextTicket = 0

    private struct Line {
        var tickets: [Int] = []
        var head = 0
    }

    var count: Int { entries.count }

    /// How urgent the most urgent element is; nil when there is none.
    var highestPriority: Priority? { entries.values.map(\.priority).max() }

    /// Adds an element and returns the ticket by which it can be found again.
    mutating func add(_ element: Element, priority: Priority) -> Int {
        defer { nextTicket += 1 }
        entries[nextTicket] = Entry(element: element, priority: priority)
        lines[priority, default: Line()].tickets.append(nextTicket)
        return nextTicket
    }

    /// Changes how urgent an element is; it goes to the end of its new line. Does nothing when it is no longer waiting.
    mutating func setPriority(_ priority: Priority, of ticket: Int) {
        guard let entry = entries[ticket], entry.priority != priority else { return }
        entries[ticket]?.priority = priority
        lines[priority, default: Line()].tickets.append(ticket)
    }

    /// Takes an element out; nil when it is no longer waiting.
    mutating func remove(_ ticket: Int) -> Element? {
        entries.removeValue(forKey: ticket)?.element
    }

    /// Takes out the element whose turn it is.
    mutating func next() -> Element? {
        for priority in Priority.allCases.reversed() {
            guard var line = lines[priority] else { continue }
            defer { lines[priority] = line.head == line.tickets.count ? nil : line }
            while line.head < line.tickets.count {
                let ticket = line.tickets[line.head]
                line.head += 1
                if line.head > 256, line.head * 2 > line.tickets.count {
                    line.tickets.removeFirst(line.head)
                    line.head = 0
                }
                guard entries[ticket]?.priority == priority else { continue }
                return entries.removeValue(forKey: ticket)?.element
            }
        }
        return nil
    }
}
