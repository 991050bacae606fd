import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct PriorityQueueTests {
    /// Removes all elements. Returns them in order.
    private func drain<Element>(_ queue: inout PriorityQueue<Element>) -> [Element] {
        var order: [Element] = []
        while let element = queue.next() { order.append(element) }
        return order
    }

    @Test func `an empty queue returns nothing`() {
        var queue = PriorityQueue<String>()
        let next = queue.next()
        let removed = queue.remove(0)
        #expect(next == nil)
        #expect(removed == nil)
        #expect(queue.count == 0)
        #expect(queue.highestPriority == nil)
    }

    @Test func `urgent elements come first, equal ones in order of arrival`() {
        var queue = PriorityQueue<String>()
        for priority in [Priority.low, .veryHigh, .normal, .veryLow, .high] {
            for place in 1...2 { _ = queue.add("\(priority) \(place)", priority: priority) }
        }
        #expect(queue.count == 10)
        #expect(queue.highestPriority == .veryHigh)
        let order = drain(&queue)
        #expect(
            order == [
                "veryHigh 1", "veryHigh 2", "high 1", "high 2", "normal 1", "normal 2", "low 1", "low 2", "veryLow 1",
                "veryLow 2",
            ])
        #expect(queue.count == 0)
    }

    @Test func `elements added during removal wait their turn`() {
        var queue = PriorityQueue<Int>()
        var given: [Int] = []
        for number in 0..<10 { _ = queue.add(number, priority: .normal) }
        for number in 10..<1000 {
            if let next = queue.next() { given.append(next) }
            _ = queue.add(number, priority: .normal)
        }
        given += drain(&queue)
        #expect(given == Array(0..<1000))
    }

    @Test func `the priority of a waiting element can change`() {
        var queue = PriorityQueue<String>()
        let first = queue.add("first", priority: .normal)
        _ = queue.add("second", priority: .normal)
        let third = queue.add("third", priority: .low)
        queue.setPriority(.high, of: third)
        #expect(queue.highestPriority == .high)
        queue.setPriority(.veryLow, of: first)
        #expect(queue.count == 3)
        let order = drain(&queue)
        #expect(order == ["third", "second", "first"])
    }

    @Test func `the order among equals is that of arrival, whatever changed meanwhile`() {
        var queue = PriorityQueue<String>()
        let raised = queue.add("raised", priority: .low)
        let restless = queue.add("restless", priority: .normal)
        _ = queue.add("patient", priority: .normal)
        queue.setPriority(.normal, of: raised)
        queue.setPriority(.high, of: restless)
        queue.setPriority(.normal, of: restless)
        let order = drain(&queue)
        #expect(order == ["raised", "restless", "patient"])
    }

    @Test func `repeated priority changes leave no trace`() {
        var queue = PriorityQueue<Int>()
        let tickets = (0..<100).map { queue.add($0, priority: .normal) }
        for round in 0..<50 {
            for ticket in tickets { queue.setPriority(round.isMultiple(of: 2) ? .high : .low, of: ticket) }
        }
        for ticket in tickets where ticket != tickets[40] { queue.setPriority(.normal, of: ticket) }
        #expect(queue.count == 100)
        let order = drain(&queue)
        #expect(order == Array(0..<40) + Array(41..<100) + [40])
    }

    @Test func `a removed element is never returned again`() {
        var queue = PriorityQueue<String>()
        _ = queue.add("stays", priority: .low)
        let ticket = queue.add("goes", priority: .high)
        let removed = queue.remove(ticket)
        let removedAgain = queue.remove(ticket)
        #expect(removed == "goes")
        #expect(removedAgain == nil)
        #expect(queue.highestPriority == .low)
        let order = drain(&queue)
        #expect(order == ["stays"])
    }

    @Test func `an element that was taken can be neither removed nor changed`() {
        var queue = PriorityQueue<String>()
        let ticket = queue.add("gone", priority: .normal)
        let next = queue.next()
        #expect(next == "gone")
        queue.setPriority(.high, of: ticket)
        let removed = queue.remove(ticket)
        #expect(removed == nil)
        #expect(queue.count == 0)
        #expect(queue.highestPriority == nil)
        _ = queue.add("new", priority: .low)
        let order = drain(&queue)
        #expect(order == ["new"])
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func `after any sequence of calls the order is that of a plain list`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var queue = PriorityQueue<Int>()
        // In the order of arrival.
        var list: [(ticket: Int, element: Int, priority: Priority)] = []
        var tickets: [Int] = []
        for step in 0..<3000 {
            let priority = Priority.allCases[Int.random(in: 0..<Priority.allCases.count, using: &random)]
            let ticket = tickets.randomElement(using: &random) ?? -1
            let index = list.firstIndex { $0.ticket == ticket }
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<45:
                let new = queue.add(step, priority: priority)
                list.append((new, step, priority))
                tickets.append(new)
            case 45..<70:
                queue.setPriority(priority, of: ticket)
                if let index { list[index].priority = priority }
            case 70..<80:
                let removed = queue.remove(ticket)
                let expected = index.map { list.remove(at: $0).element }
                #expect(removed == expected)
            default:
                let next = queue.next()
                let highest = list.map(\.priority).max()
                let due = list.firstIndex { $0.priority == highest }
                let expected = due.map { list.remove(at: $0).element }
                #expect(next == expected)
            }
            #expect(queue.count == list.count)
            #expect(queue.highestPriority == list.map(\.priority).max())
        }
        let order = drain(&queue)
        let expected = Priority.allCases.reversed().flatMap { priority in
            list.filter { $0.priority == priority }.map(\.element)
        }
        #expect(order == expected)
    }
}
