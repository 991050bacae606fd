import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct RegistryListTests {
    /// An object that calls a closure when it is released.
    private final class Leaver: Sendable {
        private let look: @Sendable () -> Void

        init(_ look: @escaping @Sendable () -> Void) { self.look = look }

        deinit { look() }
    }

    @Test func `the element added last is first, and a removal affects no other`() {
        let list = RegistryList<String>()
        let tokens = ["first", "second", "third"].map { list.add($0) }
        #expect(list.elements == ["third", "second", "first"])
        #expect(list.remove(tokens[1]))
        #expect(list.elements == ["third", "first"])
        #expect(!list.remove(tokens[1]))
        // The remaining elements keep their tokens.
        list.add("fourth")
        #expect(list.remove(tokens[0]))
        #expect(list.elements == ["fourth", "third"])
        #expect(list.remove(tokens[2]))
        #expect(list.elements == ["fourth"])
    }

    @Test func `an element may read the list while it is deallocated`() {
        let list = RegistryList<Leaver>()
        let counts = Lock<[Int]>([])
        func makeLeaver() -> Leaver {
            Leaver { [weak list] in
                let count = list?.elements.count ?? -1
                counts.withLock { $0.append(count) }
            }
        }
        let tokens = (0..<3).map { _ in list.add(makeLeaver()) }
        #expect(list.remove(tokens[1]))
        #expect(counts.withLock { $0 } == [2])
        #expect(list.remove(tokens[0]))
        #expect(list.remove(tokens[2]))
        #expect(counts.withLock { $0 } == [2, 1, 0])
    }
}
