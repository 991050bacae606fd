/// Elements one after the other, over and over.
///
/// A sample goes on where the one before it stopped: many elements have their turn, though each sample is short.
struct Turns<Element> {
    private let elements: [Element]
    private var index = 0

    /// There must be one at least.
    init(_ elements: [Element]) { self.elements = elements }

    /// The one whose turn it is.
    mutating func next() -> Element {
        let element = elements[index]
        index = index + 1 < elements.count ? index + 1 : 0
        return element
    }
}
