/// Elements one after the other, over and over.
///
/// A sample goes on where the one before it stopped: many elements have their turn, though each sample is short.
struct Turns<Element> {
    private let elements: [Element]
    private var index = 0

    /// There must be one at least.
    init(_ elements: [Element]) { self.elements = elements }

    /// Calls `body` with the one whose turn it is: lent, as a copy would have its memory fetched, which no library is
    /// to blame for.
    mutating func next<Result>(_ body: (Element) throws -> Result) rethrows -> Result {
        let place = index
        index = place + 1 < elements.count ? place + 1 : 0
        return try body(elements[place])
    }
}
