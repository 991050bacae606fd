/// A list of slots, which are small numbers that stand for entries kept in an array elsewhere.
///
/// The links between neighbours lie beside the list, in an array by slot. So a slot is appended, and removed from
/// wherever it stands, without a search and without memory being allocated. Several lists may share one array of links
/// as long as no slot is in two of them at once.
struct SlotList {
    /// The slots before and after each slot. What it says of slots that are in no list means nothing.
    struct Links {
        fileprivate struct Neighbours {
            var previous: Int
            var next: Int
        }

        fileprivate var neighbours: [Neighbours] = []

        fileprivate mutating func makeRoom(for slot: Int) {
            while neighbours.count <= slot {
                neighbours.append(Neighbours(previous: SlotList.none, next: SlotList.none))
            }
        }
    }

    /// Stands for "no slot": half as large as an optional, and links are what a hit touches.
    fileprivate static let none = -1

    private var head = SlotList.none
    private var tail = SlotList.none

    /// Number of slots in the list.
    private(set) var count = 0

    /// Whether no slot is in the list.
    var isEmpty: Bool { count == 0 }
    /// The slot that was appended before all others; nil when the list is empty.
    var first: Int? { head == Self.none ? nil : head }
    /// The slot that was appended after all others; nil when the list is empty.
    var last: Int? { tail == Self.none ? nil : tail }

    /// All slots, in the order in which they were appended.
    func slots(links: Links) -> [Int] {
        var slots: [Int] = []
        slots.reserveCapacity(count)
        var slot = head
        while slot != Self.none {
            slots.append(slot)
            slot = links.neighbours[slot].next
        }
        return slots
    }

    /// Puts a slot at the end. It must be in no list that shares the links.
    mutating func append(_ slot: Int, links: inout Links) {
        links.makeRoom(for: slot)
        links.neighbours[slot] = Links.Neighbours(previous: tail, next: Self.none)
        if tail == Self.none {
            head = slot
        } else {
            links.neighbours[tail].next = slot
        }
        tail = slot
        count += 1
    }

    /// Takes a slot out. It must be in this list.
    mutating func remove(_ slot: Int, links: inout Links) {
        let neighbours = links.neighbours[slot]
        if neighbours.previous == Self.none {
            head = neighbours.next
        } else {
            links.neighbours[neighbours.previous].next = neighbours.next
        }
        if neighbours.next == Self.none {
            tail = neighbours.previous
        } else {
            links.neighbours[neighbours.next].previous = neighbours.previous
        }
        count -= 1
    }
}
