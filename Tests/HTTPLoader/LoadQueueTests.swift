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

    /// A queue in which each load of `hosts` waits, named by its index.
    private static func queue(
        _ order: CurlImageLoader.Configuration.Order, limit: Int = 100, perHost: Int = 100, hosts: [Int]
    ) -> (LoadQueue<Load>, [Load]) {
        var queue = LoadQueue<Load>(limit: limit, limitPerHost: perHost, order: order)
        let loads = hosts.indices.map { Load($0) }
        for (load, number) in zip(loads, hosts) { queue.add(load, origin: host(number), priority: .normal) }
        return (queue, loads)
    }

    private static func drain(_ queue: inout LoadQueue<Load>) -> [Int] {
        var names: [Int] = []
        while let load = queue.next() { names.append(load.name) }
        return names
    }

    @Test func `equals go in the order that is wished`() {
        var (first, _) = Self.queue(.firstInFirstOut, hosts: [0, 1, 0, 1])
        var (last, _) = Self.queue(.lastInFirstOut, hosts: [0, 1, 0, 1])
        let (firstNames, lastNames) = (Self.drain(&first), Self.drain(&last))
        #expect(firstNames == [0, 1, 2, 3] as [Int])
        #expect(lastNames == [3, 2, 1, 0] as [Int])
    }

    @Test(arguments: [CurlImageLoader.Configuration.Order.firstInFirstOut, .lastInFirstOut])
    func `the urgent goes first in either order`(order: CurlImageLoader.Configuration.Order) {
        var (queue, loads) = Self.queue(order, hosts: [0, 0, 0])
        queue.setPriority(.high, of: loads[1])
        let name = queue.next()?.name
        #expect(name == 1)
    }

    @Test func `a host that is full lets others pass`() {
        var (queue, _) = Self.queue(.firstInFirstOut, limit: 3, perHost: 2, hosts: [0, 0, 0, 1, 1])
        let begun = Self.drain(&queue)
        #expect(begun == [0, 1, 3] as [Int], "two of the first host, and as many as go in all")
        queue.end(to: Self.host(1))
        let other = Self.drain(&queue)
        #expect(other == [4] as [Int])
        queue.end(to: Self.host(0))
        let rest = Self.drain(&queue)
        #expect(rest == [2] as [Int])
    }

    @Test func `one at a time is the least`() {
        var (queue, _) = Self.queue(.firstInFirstOut, limit: 0, perHost: -1, hosts: [0, 0])
        let begun = Self.drain(&queue)
        #expect(begun == [0] as [Int])
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `after any sequence it does what a plain list does`(seed: UInt64) {
        struct Entry {
            let load: Load
            let host: Int
            let turn: Int
            var priority: Priority
        }
        var random = SplitMix64(seed: seed)
        let (limit, perHost) = (5, 2)
        let isLast = seed.isMultiple(of: 2)
        var queue = LoadQueue<Load>(
            limit: limit, limitPerHost: perHost, order: isLast ? .lastInFirstOut : .firstInFirstOut)
        var waiting: [Entry] = []
        var active: [Int] = []
        for step in 0..<4000 {
            let priority = Priority.allCases.randomElement(using: &random)!
            let index = waiting.indices.randomElement(using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                let entry = Entry(
                    load: Load(step), host: Int.random(in: 0..<4, using: &random), turn: isLast ? -step : step,
                    priority: priority)
                queue.add(entry.load, origin: Self.host(entry.host), priority: priority)
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
                queue.end(to: Self.host(active.remove(at: place)))
            default:
                let due =
                    active.count < limit
                    ? waiting.filter { entry in active.count { $0 == entry.host } < perHost }.min {
                        $0.priority == $1.priority ? $0.turn < $1.turn : $0.priority > $1.priority
                    } : nil
                let next = queue.next()
                #expect(next === due?.load, "step \(step)")
                guard let due else { continue }
                waiting.removeAll { $0.load === due.load }
                active.append(due.host)
            }
        }
    }
}
#endif
