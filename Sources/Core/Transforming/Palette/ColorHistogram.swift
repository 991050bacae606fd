/// A histogram of colors. Up to 4,096 colors are counted separately. If there are more colors, or too many collisions
/// in the hash table, groups of similar colors are counted.
package struct ColorHistogram {
    /// A group of similar colors.
    struct Bin {
        private(set) var count = 0
        /// The sums of the red, green and blue of the group's pixels.
        private(set) var sums = SIMD3<Int>()
        /// The sum of the squares of the red, green and blue of the group's pixels.
        private(set) var squares = 0

        /// Adds a color that occurs `times` times.
        fileprivate mutating func add(_ color: SIMD3<Int>, times: Int) {
            count += times
            sums &+= color &* times
            squares += (color &* color).wrappedSum() * times
        }
    }

    /// The value of pixels that are not counted. It is no color.
    package static let ignored: UInt32 = 1 << 24

    /// The number of groups along each channel.
    static let side = 32
    /// The number of low bits of each channel that a group ignores.
    private static let groupShift = SIMD3(repeating: 3)

    /// The groups of colors whose channels have the same five highest bits; empty while colors are counted separately.
    private var groups: [Bin] = []
    /// A hash table of separately counted colors, each combined with ``mark``; 0 for an empty slot. The table is empty
    /// once groups are counted.
    private var colors = [UInt32](repeating: 0, count: tableSize)
    /// The count of the color in each slot of ``colors``.
    private var counts = [Int](repeating: 0, count: tableSize)
    /// The numbers of the occupied slots of the hash table.
    private var places: [Int] = []

    /// The bit that distinguishes a color from an empty slot.
    private static let mark: UInt32 = 1 << 25
    private static let tableBits = 13
    private static let tableSize = 1 << tableBits
    private static let mostColors = tableSize / 2
    /// The maximum number of slots that are probed for a color.
    private static let mostSteps = 64

    /// Creates an empty histogram.
    package init() {}

    /// Adds the colors of a row, except ``ignored``. Each color has red in the lowest byte.
    package mutating func add(_ row: [UInt32]) {
        var rest = row[...]
        if groups.isEmpty {
            rest = row[addExactly(row)...]
            guard !rest.isEmpty else { return }
            groups = grouped(from: SIMD3(), shift: Self.groupShift)
            (colors, counts, places) = ([], [], [])
        }
        for color in rest where color != Self.ignored {
            let channels = Self.channels(color)
            groups[Self.index(channels &>> Self.groupShift)].add(channels, times: 1)
        }
    }

    /// Adds the colors of a row to the hash table, up to the first color that does not fit. Returns the number of
    /// pixels before that color.
    private mutating func addExactly(_ row: [UInt32]) -> Int {
        Self.add(row, to: &colors, &counts, &places)
    }

    /// Implements ``addExactly(_:)``. The arrays are arguments, so that each is checked for unique ownership only once.
    private static func add(
        _ row: [UInt32], to colors: inout [UInt32], _ counts: inout [Int], _ places: inout [Int]
    ) -> Int {
        var colors = colors.mutableSpan
        var counts = counts.mutableSpan
        for (column, color) in row.enumerated() where color != ignored {
            let marked = color | mark
            var place = Int((color &* 2_654_435_761) >> UInt32(32 - tableBits))
            if colors[place] != marked {
                var stepCount = 0
                while colors[place] != marked, colors[place] != 0 {
                    // The limit bounds the time for an image whose colors all have the same slot.
                    stepCount += 1
                    guard stepCount < mostSteps else { return column }
                    place = (place + 1) & (tableSize - 1)
                }
                if colors[place] == 0 {
                    guard places.count < mostColors else { return column }
                    places.append(place)
                    colors[place] = marked
                }
            }
            counts[place] += 1
        }
        return row.count
    }

    /// The separately counted colors and their counts.
    private var known: some Sequence<(color: UInt32, count: Int)> {
        places.lazy.map { (colors[$0] & ~Self.mark, counts[$0]) }
    }

    /// Returns whether colors are counted separately and there are at most `count` of them.
    package func isExact(atMost count: Int) -> Bool { groups.isEmpty && places.count <= count }

    /// Returns the colors in ascending order. Returns nil if there are more than `count`, or if groups are counted.
    package func colors(atMost count: Int) -> [UInt32]? {
        isExact(atMost: count) ? known.map(\.color).sorted() : nil
    }

    /// The groups of similar colors. Separately counted colors are grouped within the range that they span, so that
    /// similar colors are separated better.
    var bins: [Bin] {
        guard groups.isEmpty else { return groups }
        var (low, high) = (SIMD3(repeating: 255), SIMD3<Int>())
        for (color, _) in known {
            let channels = Self.channels(color)
            low = pointwiseMin(low, channels)
            high = pointwiseMax(high, channels)
        }
        let span = (high &- low).max() + 1
        let shift = max(0, Int.bitWidth - (span - 1).leadingZeroBitCount - Self.side.trailingZeroBitCount)
        return grouped(from: low, shift: SIMD3(repeating: shift))
    }

    /// Returns groups of the separately counted colors. The first group begins at `low`. Each group spans two to the
    /// power of `shift` levels of each channel.
    private func grouped(from low: SIMD3<Int>, shift: SIMD3<Int>) -> [Bin] {
        var bins = [Bin](repeating: Bin(), count: Self.side * Self.side * Self.side)
        for (color, count) in known {
            let channels = Self.channels(color)
            bins[Self.index((channels &- low) &>> shift)].add(channels, times: count)
        }
        return bins
    }

    /// Returns the index of the group at a position in red, green and blue.
    static func index(_ place: SIMD3<Int>) -> Int { (place.x * side + place.y) * side + place.z }

    private static func channels(_ color: UInt32) -> SIMD3<Int> {
        SIMD3(Int(color & 0xFF), Int(color >> 8 & 0xFF), Int(color >> 16 & 0xFF))
    }
}
