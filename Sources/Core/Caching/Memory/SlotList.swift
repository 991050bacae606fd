/// A linked list of slots, which are indices of entries in an array elsewhere.
///
/// The links between neighbors are stored outside the list, so that appending and removing need no search and no
/// allocation. Lists may share one array of links if no slot is in two of them.
struct SlotList {
    /// The slots before and after each slot. The links of slots that are in no list have no meaning.
    struct Links {
        fileprivate struct Neighbors {
            var previous: Int
            var next: Int
        }

        fileprivate var neighbors: [Neighbors] = []

        fileprivate mutating func makeRoom(for slot: Int) {
            while neighbors.count <= slot {
                neighbors.append(Neighbors(previous: SlotList.none, next: SlotList.none))
            }
        }
    }

    /// The number for "no slot". An optional would take twice the memory, and slow down hits with an LRU policy.
    fileprivate static let none = -1

    private var head = SlotList.none
    private var tail = SlotList.none

    /// The number of slots in the list.
    private(set) var count = 0

    /// Whether the list is empty.
    var isEmpty: Bool { count == 0 }
    /// The slot that was appended first; nil if the list is empty.
    var first: Int? { head == Self.none ? nil : head }
    /// The slot that was appended last; nil if the list is empty.
    var last: Int? { tail == Self.none ? nil : tail }

    /// Returns all slots, in the order in which they were appended.
    func slots(links: Links) -> [Int] {
        var slots: [Int] = []
        slots.reserveCapacity(count)
        var slot = head
        while slot != Self.none {
            slots.append(slot)
            slot = links.neighbors[slot].next
        }
        return slots
    }

    /// Appends a slot. The slot must not be in a list that uses the same links.
    mutating func append(_ slot: Int, links: inout Links) {
        links.makeRoom(for: slot)
        links.neighbors[slot] = Links.Neighbors(previous: tail, next: Self.none)
        if tail == Self.none {
            head = slot
        } else {
            links.neighbors[tail].next = slot
        }
        tail = slot
        count += 1
    }

    /// Removes a slot, which must be in this list.
    mutating func remove(_ slot: Int, links: inout Links) {
        let neighbors = links.neighbors[slot]
        if neighbors.previous == Self.none {
            head = neighbors.next
        } else {
            links.neighbors[neighbors.previous].next = neighbors.next
        }
        if neighbors.next == Self.none {
            tail = neighbors.previous
        } else {
            links.neighbors[neighbors.next].previous = neighbors.previous
        }
        count -= 1
    }
}
