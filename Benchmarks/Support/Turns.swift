/// Elements that are used cyclically.
///
/// A sample continues where the previous one stopped, so short samples still use many elements.
struct Turns<Element> {
    private let elements: [Element]
    private var index = 0

    /// Creates turns of at least one element.
    init(_ elements: [Element]) { self.elements = elements }

    /// Calls `body` with the next element, which is lent. A copy would fetch its memory, a cost that belongs to no
    /// library.
    mutating func next<Result>(_ body: (Element) throws -> Result) rethrows -> Result {
        let place = index
        index = place + 1 < elements.count ? place + 1 : 0
        return try body(elements[place])
    }
}
