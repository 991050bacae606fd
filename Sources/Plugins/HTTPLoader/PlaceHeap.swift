#if HTTP
import Calotype

/// Places in a line, of which the first is known.
struct PlaceHeap {
    /// A place in a line.
    struct Place {
        let priority: Priority
        let turn: Int
        let load: ObjectIdentifier

        /// Whether its turn comes before that of another.
        func precedes(_ other: Place) -> Bool {
            priority == other.priority ? turn < other.turn : priority > other.priority
        }
    }

    /// A binary heap: no place precedes the one at half its index.
    private var places: [Place] = []

    var count: Int { places.count }
    /// The place whose turn comes first; nil when there is none.
    var first: Place? { places.first }

    mutating func push(_ place: Place) {
        places.append(place)
        var index = places.count - 1
        while index > 0, places[index].precedes(places[(index - 1) / 2]) {
            places.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Takes the first place out. There must be one.
    mutating func removeFirst() {
        places.swapAt(0, places.count - 1)
        places.removeLast()
        var index = 0
        while 2 * index + 1 < places.count {
            var child = 2 * index + 1
            if child + 1 < places.count, places[child + 1].precedes(places[child]) { child += 1 }
            guard places[child].precedes(places[index]) else { return }
            places.swapAt(index, child)
            index = child
        }
    }

    /// The places that are to stay.
    func filter(_ stays: (Place) -> Bool) -> PlaceHeap {
        var kept = PlaceHeap()
        for place in places where stays(place) { kept.push(place) }
        return kept
    }
}
#endif
