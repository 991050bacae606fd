import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct DeadlineQueueTests {
    /// Removes all elements that are due. Returns them in order.
    private func drain<Element>(_ queue: inout DeadlineQueue<Element>, by time: Duration) -> [Element] {
        var order: [Element] = []
        while let element = queue.next(by: time) { order.append(element) }
        return order
    }

    @Test func `an empty queue returns nothing`() {
        var queue = DeadlineQueue<String>()
        let next = queue.next(by: .seconds(100))
        let removed = queue.remove(0)
        #expect(next == nil)
        #expect(removed == nil)
        #expect(queue.earliest == nil)
        #expect(queue.count == 0)
    }

    @Test func `the earliest elements come first, equal ones in order of arrival, and none before its time`() {
        var queue = DeadlineQueue<String>()
        for second in [3, 1, 2, 5, 4] {
            for place in 1...2 { _ = queue.add("\(second) \(place)", at: .seconds(second)) }
        }
        #expect(queue.earliest == .seconds(1))
        let none = drain(&queue, by: .milliseconds(999))
        #expect(none.isEmpty)
        let first = drain(&queue, by: .seconds(2))
        #expect(first == ["1 1", "1 2", "2 1", "2 2"])
        #expect(queue.earliest == .seconds(3))
        #expect(queue.count == 6)
        let rest = drain(&queue, by: .seconds(100))
        #expect(rest == ["3 1", "3 2", "4 1", "4 2", "5 1", "5 2"])
    }

    @Test func `removed elements take no more space than waiting ones`() {
        var queue = DeadlineQueue<Int>()
        let patient = queue.add(-1, at: .zero)
        var mostPlaces = 0
        for number in 0..<10_000 {
            let ticket = queue.add(number, at: .seconds(30 + number))
            let removed = queue.remove(ticket)
            #expect(removed == number)
            mostPlaces = max(mostPlaces, queue.placeCount)
        }
        #expect(queue.count == 1)
        #expect(mostPlaces <= 66)
        let last = queue.remove(patient)
        #expect(last == -1)
        #expect(queue.placeCount == 0, "no removed element remains in front")
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func `after any sequence of calls the order is that of a plain list`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var queue = DeadlineQueue<Int>()
        // In the order of arrival.
        var list: [(ticket: Int, element: Int, time: Duration)] = []
        var tickets: [Int] = []
        for step in 0..<3000 {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<50:
                let time = Duration.seconds(Int.random(in: 0..<40, using: &random))
                let new = queue.add(step, at: time)
                list.append((new, step, time))
                tickets.append(new)
            case 50..<75:
                let ticket = tickets.randomElement(using: &random) ?? -1
                let removed = queue.remove(ticket)
                let expected = list.firstIndex { $0.ticket == ticket }.map { list.remove(at: $0).element }
                #expect(removed == expected)
            default:
                let limit = Duration.seconds(Int.random(in: 0..<20, using: &random))
                let next = queue.next(by: limit)
                let earliest = list.map(\.time).min()
                let due = list.firstIndex { $0.time == earliest && $0.time <= limit }
                let expected = due.map { list.remove(at: $0).element }
                #expect(next == expected)
            }
            #expect(queue.count == list.count)
            #expect(queue.earliest == list.map(\.time).min())
            #expect(queue.placeCount <= max(65, 2 * queue.count + 1))
        }
    }
}
