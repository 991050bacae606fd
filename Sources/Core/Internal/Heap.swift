/// A binary heap. Its first element is the smallest one.
package struct Heap<Element: Comparable> {
    /// The elements. No element is less than its parent, at index `(index - 1) / 2`.
    private var elements: [Element] = []

    package init() {}

    /// The number of elements.
    package var count: Int { elements.count }

    /// The least element; nil if there is none.
    package var first: Element? { elements.first }

    /// Adds an element in logarithmic time.
    package mutating func push(_ element: Element) {
        elements.append(element)
        var index = elements.count - 1
        while index > 0, elements[index] < elements[(index - 1) / 2] {
            elements.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Removes and returns the least element in logarithmic time; nil if there is none.
    @discardableResult
    package mutating func pop() -> Element? {
        guard !elements.isEmpty else { return nil }
        elements.swapAt(0, elements.count - 1)
        let least = elements.removeLast()
        var index = 0
        while 2 * index + 1 < elements.count {
            var child = 2 * index + 1
            if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
            guard elements[child] < elements[index] else { break }
            elements.swapAt(index, child)
            index = child
        }
        return least
    }

    /// Returns a heap of the elements that satisfy a predicate.
    package func filter(_ isIncluded: (Element) -> Bool) -> Heap {
        var kept = Heap()
        for element in elements where isIncluded(element) { kept.push(element) }
        return kept
    }
}
