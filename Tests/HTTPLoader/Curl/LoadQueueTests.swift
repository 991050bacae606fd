#if HTTP
import Calotype
import CalotypeTesting
import Testing

@testable import CalotypeHTTP

@Suite(.timeLimit(.minutes(5)))
struct LoadQueueTests {
    private final class Load {
        let name: Int
        init(_ name: Int) { self.name = name }
    }

    private static func host(_ number: Int) -> HTTPOrigin {
        HTTPOrigin(isSecure: false, host: "host\(number)", port: 80)
    }

    /// Returns a queue with a waiting load for each of `hosts`. Loads are named by their indices.
    private static func queue(
        _ order: CurlImageLoader.Configuration.Order, limit: Int = 100, perHost: Int = 100, hosts: [Int]
    ) -> (LoadQueue<Load>, [Load]) {
        var queue = LoadQueue<Load>(order: order)
        let loads = hosts.indices.map { Load($0) }
        let limits = TransferLimits(total: limit, perHost: perHost)
        for (load, number) in zip(loads, hosts) {
            queue.add(load, origin: host(number), priority: .normal, limits: limits)
        }
        return (queue, loads)
    }

    private static func drain(_ queue: inout LoadQueue<Load>) -> [Int] {
        var names: [Int] = []
        while let load = queue.next() { names.append(load.name) }
        return names
    }

    @Test func `equal loads start in the configured order`() {
        var (first, _) = Self.queue(.firstInFirstOut, hosts: [0, 1, 0, 1])
        var (last, _) = Self.queue(.lastInFirstOut, hosts: [0, 1, 0, 1])
        let (firstNames, lastNames) = (Self.drain(&first), Self.drain(&last))
        #expect(firstNames == [0, 1, 2, 3] as [Int])
        #expect(lastNames == [3, 2, 1, 0] as [Int])
    }

    @Test(arguments: [CurlImageLoader.Configuration.Order.firstInFirstOut, .lastInFirstOut])
    func `urgent loads start first in either order`(order: CurlImageLoader.Configuration.Order) {
        var (queue, loads) = Self.queue(order, hosts: [0, 0, 0])
        queue.setPriority(.high, of: loads[1])
        let name = queue.next()?.name
        #expect(name == 1)
    }

    @Test func `a full host lets other hosts pass`() {
        var (queue, loads) = Self.queue(.firstInFirstOut, limit: 3, perHost: 2, hosts: [0, 0, 0, 1, 1])
        let begun = Self.drain(&queue)
        #expect(begun == [0, 1, 3] as [Int], "two of the first host, and three in total")
        queue.end(loads[3])
        let other = Self.drain(&queue)
        #expect(other == [4] as [Int])
        queue.end(loads[0])
        let rest = Self.drain(&queue)
        #expect(rest == [2] as [Int])
    }

    @Test func `the limits are at least one`() {
        var (queue, _) = Self.queue(.firstInFirstOut, limit: 0, perHost: -1, hosts: [0, 0])
        let begun = Self.drain(&queue)
        #expect(begun == [0] as [Int])
    }

    @Test func `ending twice or before starting frees no slot`() {
        var (queue, loads) = Self.queue(.firstInFirstOut, limit: 1, hosts: [0, 0, 0])
        queue.end(loads[0])
        let first = Self.drain(&queue)
        #expect(first == [0] as [Int])
        queue.end(loads[0])
        queue.end(loads[0])
        let second = Self.drain(&queue)
        #expect(second == [1] as [Int])
        #expect(queue.activeCount == 1)
    }

    @Test func `each load starts by its own limit, and none passes an earlier waiting load`() {
        var queue = LoadQueue<Load>(order: .firstInFirstOut)
        let loads = (0..<4).map { Load($0) }
        for (load, limit) in zip(loads, [3, 3, 1, 3]) {
            queue.add(
                load, origin: Self.host(load.name), priority: .normal, limits: TransferLimits(total: limit, perHost: 9))
        }
        let begun = Self.drain(&queue)
        #expect(begun == [0, 1] as [Int], "a load with a limit of one waits until it is alone")
        queue.end(loads[0])
        let passing = Self.drain(&queue)
        #expect(passing.isEmpty)
        queue.setPriority(.high, of: loads[3])
        let urgent = Self.drain(&queue)
        #expect(urgent == [3] as [Int], "the more urgent load starts first")
        queue.end(loads[1])
        queue.end(loads[3])
        let last = Self.drain(&queue)
        #expect(last == [2] as [Int])
    }

    @Test func `a redirected load counts for its new host, or waits there in its old turn`() {
        var (queue, loads) = Self.queue(.firstInFirstOut, limit: 3, perHost: 1, hosts: [0, 1, 2, 1, 0])
        let begun = Self.drain(&queue)
        #expect(begun == [0, 1, 2] as [Int])
        let moves = [(0, 0), (0, 5), (2, 1)].map { name, host in
            queue.move(loads[name], to: Self.host(host), priority: .normal)
        }
        #expect(moves == [true, true, false], "to its own host, to a host with room, and to a full host")
        #expect(queue.activeCount == 2)
        let next = Self.drain(&queue)
        #expect(next == [4] as [Int], "the former host and the total have room again")
        queue.end(loads[1])
        let sentOn = Self.drain(&queue)
        #expect(sentOn == [2] as [Int], "the redirected load keeps its place before the later one")
        queue.end(loads[2])
        let last = Self.drain(&queue)
        #expect(last == [3] as [Int])
    }

    @Test func `a redirected load is not found in a queue where it waited before`() {
        var (queue, loads) = Self.queue(.firstInFirstOut, perHost: 1, hosts: [1])
        let limits = TransferLimits(total: 100, perHost: 1)
        let begun = Self.drain(&queue)
        #expect(begun == [0] as [Int])
        for name in 1...4 {
            loads.append(Load(name))
            queue.add(loads[name], origin: Self.host(0), priority: name == 1 ? .veryHigh : .normal, limits: limits)
        }
        let first = Self.drain(&queue)
        #expect(first == [1] as [Int])
        queue.setPriority(.high, of: loads[3])
        queue.end(loads[1])
        let raised = Self.drain(&queue)
        #expect(raised == [3] as [Int], "by its original place it follows the second load")
        let goesOn = queue.move(loads[3], to: Self.host(1), priority: .normal)
        #expect(!goesOn)
        let second = Self.drain(&queue)
        #expect(second == [2] as [Int])
        queue.end(loads[2])
        let fourth = Self.drain(&queue)
        #expect(fourth == [4] as [Int], "the host of the redirect is still full")
        #expect(queue.activeCount == 2)
        queue.end(loads[0])
        let last = Self.drain(&queue)
        #expect(last == [3] as [Int])
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func `after any sequence of calls the queue behaves like a plain list`(seed: UInt64) {
        struct Entry {
            let load: Load
            var host: Int
            let turn: Int
            var priority: Priority
            let limits: TransferLimits

            func precedes(_ other: Entry) -> Bool {
                priority == other.priority ? turn < other.turn : priority > other.priority
            }
        }
        var random = SplitMix64(seed: seed)
        let isLast = seed.isMultiple(of: 2)
        var queue = LoadQueue<Load>(order: isLast ? .lastInFirstOut : .firstInFirstOut)
        var waiting: [Entry] = []
        var active: [Entry] = []
        for step in 0..<4000 {
            let priority = Priority.allCases.randomElement(using: &random)!
            let index = waiting.indices.randomElement(using: &random)
            let host = Int.random(in: 0..<4, using: &random)
            switch Int.random(in: 0..<11, using: &random) {
            case 0..<4:
                // For half of the seeds, all loads have the same limits.
                let isMixed = seed % 4 > 1
                let limits = TransferLimits(
                    total: isMixed ? Int.random(in: 1...6, using: &random) : 5,
                    perHost: isMixed ? Int.random(in: 1...3, using: &random) : 2)
                let entry = Entry(
                    load: Load(step), host: host, turn: isLast ? -step : step, priority: priority, limits: limits)
                queue.add(entry.load, origin: Self.host(entry.host), priority: priority, limits: limits)
                waiting.append(entry)
            case 4..<6:
                guard let index else { continue }
                queue.setPriority(priority, of: waiting[index].load)
                waiting[index].priority = priority
            case 6:
                let removed = queue.remove(index.map { waiting[$0].load } ?? Load(step))
                #expect(removed == (index != nil))
                if let index { waiting.remove(at: index) }
            case 7:
                guard let place = active.indices.randomElement(using: &random) else { continue }
                queue.end(active.remove(at: place).load)
            case 8:
                guard let place = active.indices.randomElement(using: &random) else { continue }
                var entry = active.remove(at: place)
                let isFull = active.count { $0.host == host } >= entry.limits.perHost
                let goesOn = host == entry.host || !isFull
                let isMoved = queue.move(entry.load, to: Self.host(host), priority: priority)
                #expect(isMoved == goesOn, "step \(step)")
                if host != entry.host { (entry.host, entry.priority) = (host, priority) }
                if goesOn { active.append(entry) } else { waiting.append(entry) }
            default:
                let firsts = (0..<4).compactMap { host in
                    waiting.filter { $0.host == host }.min { $0.precedes($1) }
                }
                let first = firsts.filter { entry in
                    active.count { $0.host == entry.host } < entry.limits.perHost
                }.min { $0.precedes($1) }
                let due = first.flatMap { active.count < $0.limits.total ? $0 : nil }
                let next = queue.next()
                #expect(next === due?.load, "step \(step)")
                guard let due else { continue }
                waiting.removeAll { $0.load === due.load }
                active.append(due)
            }
            #expect(queue.activeCount == active.count)
        }
    }
}
#endif
