import Testing

@testable import Calotype

/// Where rows are filled: from the top, from the bottom, or all in one place.
@Suite(.timeLimit(.minutes(5)))
struct RowPlacesTests {
    /// Five rows of three pixels, 24 bytes each.
    private static let layout = PixelLayout(size: PixelSize(3, 5), format: .rgba16)

    /// Places, and where each row begins, counted from the beginning of the memory. Nothing may be filled.
    private func makePlaces(
        bytesPerRow: Int, isFlipped: Bool = false, isMirrored: Bool = false
    ) -> (offsets: [Int], places: RowPlaces) {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 5 * 64, alignment: 64)
        defer { memory.deallocate() }
        let places = RowPlaces(
            Self.layout, at: memory, bytesPerRow: bytesPerRow, isFlipped: isFlipped, isMirrored: isMirrored)
        let offsets = (0..<places.count).map { y -> Int in
            guard let start = places[y].baseAddress else { return -1 }
            return memory.distance(to: start)
        }
        return (offsets, places)
    }

    @Test func `rows stand one below the other, as long as their pixels`() {
        let (offsets, places) = makePlaces(bytesPerRow: 64)
        #expect(offsets == [0, 64, 128, 192, 256])
        #expect(places[4].count == 24)
        #expect(!places.isFlipped)
        #expect(!places.isMirrored)
    }

    @Test func `rows of a picture that is upside down stand one above the other`() {
        let (offsets, places) = makePlaces(bytesPerRow: 64, isFlipped: true, isMirrored: true)
        #expect(offsets == [256, 192, 128, 64, 0])
        #expect(places.isFlipped)
        #expect(places.isMirrored)
    }

    @Test func `rows that do not stay have one place`() {
        let (offsets, places) = makePlaces(bytesPerRow: 0)
        #expect(offsets == [0, 0, 0, 0, 0])
        #expect(!places.isFlipped)
    }
}
