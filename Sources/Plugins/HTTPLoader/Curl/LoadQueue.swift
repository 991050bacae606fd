#if HTTP
import Calotype

/// Loads that wait for their turn, and those that are under way.
///
/// The most urgent goes first, and among equals the one whose turn the order says. One whose host has as many loads as
/// it may lets those of other hosts pass. Used by one thread.
///
/// Each load has limits of its own, and begins while fewer loads are under way. One that waits for its limit in all
/// lets none pass that come behind it: else it would wait for ever while those with higher limits keep coming.
struct LoadQueue<Load: AnyObject> {
    /// A place in a line.
    private struct Place: Comparable {
        let priority: Priority
        let turn: Int
        let load: ObjectIdentifier

        /// Whether its turn comes before that of another.
        static func < (one: Place, other: Place) -> Bool {
            one.priority == other.priority ? one.turn < other.turn : one.priority > other.priority
        }
    }

    /// The loads of one host.
    private final class Line {
        let origin: HTTPOrigin
        var active = 0
        var waiting = 0
        var places = Heap<Place>()

        init(_ origin: HTTPOrigin) { self.origin = origin }
    }

    /// A load that waits or is under way.
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
    /// The highest limit in all of any load so far.
    private var highestLimit = 1
    private var nextTurn = 0

    init(order: CurlImageLoader.Configuration.Order) { self.order = order }

    /// The number of loads under way.
    var activeCount: Int { active.count }

    /// Whether as many loads are under way as any may find there.
    var isFull: Bool { active.count >= highestLimit }

    /// Puts a load in line.
    mutating func add(_ load: Load, origin: HTTPOrigin, priority: Priority, limits: TransferLimits) {
        nextTurn += 1
        highestLimit = max(highestLimit, limits.total)
        let turn = order == .firstInFirstOut ? nextTurn : -nextTurn
        enqueue(Entry(load: load, line: line(to: origin), turn: turn, priority: priority, limits: limits))
    }

    /// Changes how urgent a load is; does nothing when it does not wait.
    mutating func setPriority(_ priority: Priority, of load: Load) {
        let id = ObjectIdentifier(load)
        guard let entry = waiting[id], entry.priority != priority else { return }
        waiting[id]?.priority = priority
        entry.line.places.push(Place(priority: priority, turn: entry.turn, load: id))
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

    /// Moves a load under way to another origin, whose limit counts for it from now on.
    /// - Returns: Whether the load goes on there now. If not, it is no longer under way and waits, at the place in line
    ///   that its first turn gives it.
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

    /// Ends a load; does nothing if it was not in progress.
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

    /// The line of an origin, to which a load is about to be added.
    private mutating func line(to origin: HTTPOrigin) -> Line {
        if let line = lines[origin] { return line }
        let line = Line(origin)
        lines[origin] = line
        return line
    }

    /// Makes the first place of a line one that somebody waits at, and forgets a line that nobody needs.
    private mutating func tidy(_ line: Line) {
        guard line.active > 0 || line.waiting > 0 else {
            lines[line.origin] = nil
            return
        }
        // Places that nobody waits at must not pile up.
        if line.places.count > 64, line.places.count > 2 * line.waiting {
            line.places = line.places.filter { isTaken($0, in: line) }
        }
        while let place = line.places.first, !isTaken(place, in: line) { line.places.pop() }
    }

    /// Whether a load waits at a place: it may have begun or gone, or have got another place, by another priority or in
    /// another line.
    private func isTaken(_ place: Place, in line: Line) -> Bool {
        waiting[place.load].map { $0.line === line && $0.turn == place.turn && $0.priority == place.priority } ?? false
    }
}
#endif
