#if GIF
import Calotype

/// A histogram of colors: of each color while there are some thousands, else of groups of nearly equal ones.
///
/// It takes the same memory however many pixels are added.
struct ColorHistogram {
    /// Colors that are nearly equal.
    struct Bin {
        private(set) var count = 0
        /// The sums of red, green and blue.
        private(set) var sums = SIMD3<Int>()
        /// The sum of the squares of all three.
        private(set) var squares = 0

        /// Adds a color so many times.
        fileprivate mutating func add(_ color: SIMD3<Int>, times: Int) {
            count += times
            sums &+= color &* times
            squares += (color &* color).wrappedSum() * times
        }
    }

    /// The number of groups along a channel.
    static let side = 32
    /// The bits of each channel that are the same in a group.
    private static let groupShift = SIMD3(repeating: 3)

    /// Groups of colors whose channels have the same five highest bits; empty while each color is known.
    private var groups: [Bin] = []
    /// The colors with ``mark``, at places that a product spreads them over, and how often there are; empty once they
    /// are too many.
    private var colors = [UInt32](repeating: 0, count: tableSize)
    private var counts = [Int](repeating: 0, count: tableSize)
    /// The places that have a color.
    private var places: [Int] = []

    /// The bit that distinguishes a color from an empty place.
    private static let mark: UInt32 = 1 << 25
    private static let tableBits = 13
    private static let tableSize = 1 << tableBits
    private static let mostColors = tableSize / 2
    /// The most places that are looked at for a color.
    private static let mostSteps = 64

    /// Adds the colors of a region that are drawn.
    mutating func add(_ change: GIFChange, job: Job) throws(ImageError) {
        var row = change.row
        for y in change.rowRange {
            try job.check()
            change.readColors(y, into: &row)
            add(row)
        }
    }

    /// Adds the colors of a row, red from the lowest byte on, except ``GIFChange/undrawn``.
    private mutating func add(_ row: [UInt32]) {
        var rest = row[...]
        if groups.isEmpty {
            rest = row[addExactly(row)...]
            guard !rest.isEmpty else { return }
            groups = grouped(from: SIMD3(), shift: Self.groupShift)
            (colors, counts, places) = ([], [], [])
        }
        for color in rest where color != GIFChange.undrawn {
            let channels = Self.channels(color)
            groups[Self.index(channels &>> Self.groupShift)].add(channels, times: 1)
        }
    }

    /// Adds the colors of a row to those that are known, up to one that has no room among them. Returns the number of
    /// those that it has added.
    private mutating func addExactly(_ row: [UInt32]) -> Int {
        Self.add(row, to: &colors, &counts, &places)
    }

    /// The same with the lists as arguments, so that each is checked once to have no other owner.
    private static func add(
        _ row: [UInt32], to colors: inout [UInt32], _ counts: inout [Int], _ places: inout [Int]
    ) -> Int {
        var colors = colors.mutableSpan
        var counts = counts.mutableSpan
        for (column, color) in row.enumerated() where color != GIFChange.undrawn {
            let marked = color | mark
            var place = Int((color &* 2_654_435_761) >> UInt32(32 - tableBits))
            if colors[place] != marked {
                var stepCount = 0
                while colors[place] != marked, colors[place] != 0 {
                    // Colors can be chosen so that all belong to the same places.
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

    /// The colors that are known, and how often there are.
    private var known: some Sequence<(color: UInt32, count: Int)> {
        places.lazy.map { (colors[$0] & ~Self.mark, counts[$0]) }
    }

    /// Returns whether each color is known, and there are no more than `count`.
    func isExact(atMost count: Int) -> Bool { groups.isEmpty && places.count <= count }

    /// Returns the colors in ascending order; nil if there are more than `count`, which is 256 at most.
    func colors(atMost count: Int) -> [UInt32]? {
        isExact(atMost: count) ? known.map(\.color).sorted() : nil
    }

    /// The groups, ``side`` along each channel. They divide what the colors span as far as these are known, so that
    /// colors that are near to each other are told apart too.
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

    /// Returns groups of the colors that are known, the first of which begins at a color and each of which has so many
    /// levels of a channel, as a power of two.
    private func grouped(from low: SIMD3<Int>, shift: SIMD3<Int>) -> [Bin] {
        var bins = [Bin](repeating: Bin(), count: Self.side * Self.side * Self.side)
        for (color, count) in known {
            let channels = Self.channels(color)
            bins[Self.index((channels &- low) &>> shift)].add(channels, times: count)
        }
        return bins
    }

    /// Returns the index of the group at a place, counted along red, green and blue.
    static func index(_ place: SIMD3<Int>) -> Int { (place.x * side + place.y) * side + place.z }

    private static func channels(_ color: UInt32) -> SIMD3<Int> {
        SIMD3(Int(color & 0xFF), Int(color >> 8 & 0xFF), Int(color >> 16 & 0xFF))
    }
}
#endif
