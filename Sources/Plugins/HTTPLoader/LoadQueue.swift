#if HTTP
import Calotype

/// Loads that wait for their turn, and how many are under way.
///
/// The most urgent goes first, and among equals the one whose turn the order says. One whose host has as many loads as
/// it may lets those of other hosts pass. Used by one thread.
struct LoadQueue<Load: AnyObject> {
    /// The loads of one host.
    private final class Line {
        let origin: HTTPOrigin
        var active = 0
        var waiting = 0
        var places = PlaceHeap()

        init(_ origin: HTTPOrigin) { self.origin = origin }
    }

    private struct Waiting {
        let load: Load
        let line: Line
        let turn: Int
        var priority: Priority
    }

    private let limit: Int
    private let limitPerHost: Int
    private let order: CurlImageLoader.Configuration.Order

    private var waiting: [ObjectIdentifier: Waiting] = [:]
    private var lines: [HTTPOrigin: Line] = [:]
    private var active = 0
    private var nextTurn = 0

    init(limit: Int, limitPerHost: Int, order: CurlImageLoader.Configuration.Order) {
        self.limit = max(1, limit)
        self.limitPerHost = max(1, limitPerHost)
        self.order = order
    }

    /// Whether as many loads are under way as may be.
    var isFull: Bool { active >= limit }

    /// Puts a load in line.
    mutating func add(_ load: Load, origin: HTTPOrigin, priority: Priority) {
        nextTurn += 1
        let turn = order == .firstInFirstOut ? nextTurn : -nextTurn
        let id = ObjectIdentifier(load)
        let line = lines[origin] ?? Line(origin)
        if line.active == 0, line.waiting == 0 { lines[origin] = line }
        line.waiting += 1
        line.places.push(PlaceHeap.Place(priority: priority, turn: turn, load: id))
        waiting[id] = Waiting(load: load, line: line, turn: turn, priority: priority)
    }

    /// Changes how urgent a load is; does nothing when it does not wait.
    mutating func setPriority(_ priority: Priority, of load: Load) {
        let id = ObjectIdentifier(load)
        guard let entry = waiting[id], entry.priority != priority else { return }
        waiting[id]?.priority = priority
        entry.line.places.push(PlaceHeap.Place(priority: priority, turn: entry.turn, load: id))
        tidy(entry.line)
    }

    /// Takes a load out of its line; false when it does not wait.
    mutating func remove(_ load: Load) -> Bool {
        guard let entry = waiting.removeValue(forKey: ObjectIdentifier(load)) else { return false }
        entry.line.waiting -= 1
        tidy(entry.line)
        return true
    }

    /// Takes out the load whose turn it is, which from now on is under way; nil when none may begin.
    mutating func next() -> Load? {
        guard active < limit, !waiting.isEmpty else { return nil }
        var best: (line: Line, place: PlaceHeap.Place)?
        for line in lines.values where line.active < limitPerHost {
            guard let place = line.places.first, best.map({ place.precedes($0.place) }) ?? true else { continue }
            best = (line, place)
        }
        guard let best, let entry = waiting.removeValue(forKey: best.place.load) else { return nil }
        active += 1
        best.line.active += 1
        best.line.waiting -= 1
        tidy(best.line)
        return entry.load
    }

    /// Says that a load to `origin` is no longer under way.
    mutating func end(to origin: HTTPOrigin) {
        guard let line = lines[origin] else { return }
        active -= 1
        line.active -= 1
        tidy(line)
    }

    /// Makes the first place of a line one that somebody waits at, and forgets a line that nobody needs.
    private mutating func tidy(_ line: Line) {
        guard line.active > 0 || line.waiting > 0 else {
            lines[line.origin] = nil
            return
        }
        // Places that nobody waits at must not pile up.
        if line.places.count > 64, line.places.count > 2 * line.waiting {
            line.places = line.places.filter { isTaken($0) }
        }
        while let place = line.places.first, !isTaken(place) { line.places.removeFirst() }
    }

    /// Whether somebody waits at a place: he may have gone, or have got another one with another priority.
    private func isTaken(_ place: PlaceHeap.Place) -> Bool {
        waiting[place.load].map { $0.turn == place.turn && $0.priority == place.priority } ?? false
    }
}
#endif
