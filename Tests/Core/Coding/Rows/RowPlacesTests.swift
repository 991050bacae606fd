import Testing

@testable import Calotype

/// The positions of filled rows: from the top, from the bottom, or all at the same one.
@Suite(.timeLimit(.minutes(5)))
struct RowPlacesTests {
    /// Five rows of three pixels, 24 bytes each.
    private static let layout = PixelLayout(size: PixelSize(3, 5), format: .rgba16)

    /// The offset and the length of each row in memory, and the common properties.
    private struct Found {
        let offsets: [Int]
        let byteCounts: [Int]
        let isFlipped: Bool
        let isMirrored: Bool
    }

    private func places(bytesPerRow: Int, isFlipped: Bool = false, isMirrored: Bool = false) throws -> Found {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 5 * 64, alignment: 64)
        defer { memory.deallocate() }
        let places = RowPlaces(
            Self.layout, at: memory, bytesPerRow: bytesPerRow, isFlipped: isFlipped, isMirrored: isMirrored)
        let rows = (0..<places.count).map { places[$0] }
        let offsets = try rows.map { row in
            let start = try #require(row.baseAddress)
            return memory.distance(to: start)
        }
        return Found(
            offsets: offsets, byteCounts: rows.map(\.count), isFlipped: places.isFlipped,
            isMirrored: places.isMirrored)
    }

    @Test func `rows lie one below the other, at the length of their pixels`() throws {
        let found = try places(bytesPerRow: 64)
        #expect(found.offsets == [0, 64, 128, 192, 256])
        #expect(found.byteCounts == [24, 24, 24, 24, 24])
        #expect(!found.isFlipped)
        #expect(!found.isMirrored)
    }

    @Test func `rows of an upside-down picture lie in reverse order`() throws {
        let found = try places(bytesPerRow: 64, isFlipped: true, isMirrored: true)
        #expect(found.offsets == [256, 192, 128, 64, 0])
        #expect(found.byteCounts == [24, 24, 24, 24, 24])
        #expect(found.isFlipped)
        #expect(found.isMirrored)
    }

    @Test func `rows that are not kept share one place`() throws {
        let found = try places(bytesPerRow: 0)
        #expect(found.offsets == [0, 0, 0, 0, 0])
        #expect(!found.isFlipped)
    }
}
