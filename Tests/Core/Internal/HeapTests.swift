import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(1)))
struct HeapTests {
    @Test func `elements are popped in order, whatever the order of insertion`() {
        var generator = SystemRandomNumberGenerator()
        for count in [0, 1, 2, 3, 7, 100, 1000] {
            let elements = (0..<count).map { _ in Int.random(in: 0..<max(1, count / 2), using: &generator) }
            var heap = Heap<Int>()
            for element in elements { heap.push(element) }
            #expect(heap.count == count)
            #expect(heap.first == elements.min())
            var popped: [Int] = []
            while let least = heap.pop() { popped.append(least) }
            #expect(popped == elements.sorted())
            #expect(heap.count == 0)
        }
    }

    @Test func `alternating pushes and pops always return the least element`() {
        var generator = SystemRandomNumberGenerator()
        var heap = Heap<Int>()
        var expected: [Int] = []
        for _ in 0..<2000 {
            if Bool.random(using: &generator) {
                let element = Int.random(in: 0..<50, using: &generator)
                heap.push(element)
                expected.append(element)
                expected.sort()
            } else {
                #expect(heap.pop() == (expected.isEmpty ? nil : expected.removeFirst()))
            }
            #expect(heap.first == expected.first)
        }
    }

    @Test func `a filtered heap has the matching elements, in order`() {
        var heap = Heap<Int>()
        for element in (0..<100).shuffled() { heap.push(element) }
        var even = heap.filter { $0.isMultiple(of: 2) }
        #expect(even.count == 50)
        #expect((0..<50).map { _ in even.pop() } == (0..<50).map { $0 * 2 })
        #expect(heap.count == 100)
    }
}
