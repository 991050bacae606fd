#if HTTP
import Calotype

/// A queue of waiting loads, and the list of loads in progress. Use the queue on one thread.
///
/// The load with the highest priority begins first. Among loads of equal priority, the configured order decides. A load
/// whose host has reached its limit does not delay loads of other hosts.
///
/// Each load has its own ``TransferLimits``. If the number of loads in progress has reached the limit of the load that
/// comes next, no load begins, so that loads with higher limits cannot delay that load forever.
struct LoadQueue<Load: AnyObject> {
    /// The place of a waiting load in the ``Line`` of its origin.
    private struct Place: Comparable {
        let priority: Priority
        let turn: Int
        let load: ObjectIdentifier

        /// Returns whether one load begins before another: by priority, then by the configured order.
        static func < (one: Place, other: Place) -> Bool {
            one.priority == other.priority ? one.turn < other.turn : one.priority > other.priority
        }
    }

    /// The waiting loads of one origin, and the number of its loads in progress.
    private final class Line {
        let origin: HTTPOrigin
        var active = 0
        var waiting = 0
        var places = Heap<Place>()

        init(_ origin: HTTPOrigin) { self.origin = origin }
    }

    /// A load that waits or is in progress.
    private struct Entry {
        let load: Load
        var line: Line
        let turn: Int
        var priority: Priority
        let limits: TransferLimits
    }

    private let order: CurlImageLoader.Configuration.Order

    private var waiting: [ObjectIdentifier: Entry] = [:]
    private var active: [ObjectIdentifier: Entry] = [:]
    private var lines: [HTTPOrigin: Line] = [:]
    /// The highest limit on the total number of loads in progress, among the limits of all loads added so far.
    private var highestLimit = 1
    private var nextTurn = 0

    init(order: CurlImageLoader.Configuration.Order) { self.order = order }

    /// The number of loads in progress.
    var activeCount: Int { active.count }

    /// Whether no load can begin, because the highest limit of all loads added so far is reached.
    var isFull: Bool { active.count >= highestLimit }

    /// Adds a load to the queue.
    mutating func add(_ load: Load, origin: HTTPOrigin, priority: Priority, limits: TransferLimits) {
        nextTurn += 1
        highestLimit = max(highestLimit, limits.total)
        let turn = order == .firstInFirstOut ? nextTurn : -nextTurn
        enqueue(Entry(load: load, line: line(to: origin), turn: turn, priority: priority, limits: limits))
    }

    /// Changes the priority of a waiting load. Does nothing if the load does not wait.
    mutating func setPriority(_ priority: Priority, of load: Load) {
        let id = ObjectIdentifier(load)
        guard let entry = waiting[id], entry.priority != priority else { return }
        waiting[id]?.priority = priority
        entry.line.places.push(Place(priority: priority, turn: entry.turn, load: id))
        tidy(entry.line)
    }

    /// Removes a waiting load. Returns false if the load does not wait.
    mutating func remove(_ load: Load) -> Bool {
        guard let entry = waiting.removeValue(forKey: ObjectIdentifier(load)) else { return false }
        entry.line.waiting -= 1
        tidy(entry.line)
        return true
    }

    /// Moves the next load from the queue to the loads in progress and returns it. Returns nil if no load may begin.
    mutating func next() -> Load? {
        guard !isFull, !waiting.isEmpty else { return nil }
        var best: (entry: Entry, place: Place)?
        for line in lines.values {
            guard let place = line.places.first, best.map({ place < $0.place }) ?? true,
                let entry = waiting[place.load], entry.line === line, line.active < entry.limits.perHost
            else { continue }
            best = (entry, place)
        }
        guard let (entry, place) = best, active.count < entry.limits.total else { return nil }
        waiting[place.load] = nil
        active[place.load] = entry
        entry.line.active += 1
        entry.line.waiting -= 1
        tidy(entry.line)
        return entry.load
    }

    /// Moves a load in progress to another origin. Returns false if that origin has reached its limit. The load then
    /// waits in the queue again, as if it had never left.
    mutating func move(_ load: Load, to origin: HTTPOrigin, priority: Priority) -> Bool {
        let id = ObjectIdentifier(load)
        guard var entry = active[id], entry.line.origin != origin else { return true }
        let former = entry.line
        former.active -= 1
        entry.line = line(to: origin)
        entry.priority = priority
        let goesOn = entry.line.active < entry.limits.perHost
        if goesOn {
            entry.line.active += 1
            active[id] = entry
        } else {
            active[id] = nil
            enqueue(entry)
        }
        tidy(former)
        return goesOn
    }

    /// Removes a load in progress. Does nothing if the load is not in progress.
    mutating func end(_ load: Load) {
        guard let entry = active.removeValue(forKey: ObjectIdentifier(load)) else { return }
        entry.line.active -= 1
        tidy(entry.line)
    }

    private mutating func enqueue(_ entry: Entry) {
        let id = ObjectIdentifier(entry.load)
        entry.line.waiting += 1
        entry.line.places.push(Place(priority: entry.priority, turn: entry.turn, load: id))
        waiting[id] = entry
    }

    /// Returns the line of an origin. Creates the line if the origin has none.
    private mutating func line(to origin: HTTPOrigin) -> Line {
        if let line = lines[origin] { return line }
        let line = Line(origin)
        lines[origin] = line
        return line
    }

    /// Removes outdated places from the front of a line, or the line itself if it has no loads.
    private mutating func tidy(_ line: Line) {
        guard line.active > 0 || line.waiting > 0 else {
            lines[line.origin] = nil
            return
        }
        // Outdated places must not accumulate.
        if line.places.count > 64, line.places.count > 2 * line.waiting {
            line.places = line.places.filter { isTaken($0, in: line) }
        }
        while let place = line.places.first, !isTaken(place, in: line) { line.places.pop() }
    }

    /// Returns whether a load still waits at a place. A load gets a new place if its priority or origin changes.
    private func isTaken(_ place: Place, in line: Line) -> Bool {
        waiting[place.load].map { $0.line === line && $0.turn == place.turn && $0.priority == place.priority } ?? false
    }
}
#endif
