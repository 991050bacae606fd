#if GIF
import Calotype

/// A region with few colors, stored as the index of each pixel's color in a list.
struct IndexedRegion {
    private let table: Table
    /// The index of each pixel's color, row by row; ``undrawn`` for pixels that are not drawn.
    private let indices: RowMemory<UInt8>
    private let width: Int
    private let height: Int

    /// The index of pixels that are not drawn. If a region has such pixels, no color has this index.
    private static let undrawn: UInt8 = 255
    private static let tableBits = 10

    /// Reads a region. Returns nil if it has more than `count` colors, or if there is not enough memory. The caller can
    /// then encode it without this type.
    /// - Parameter count: At most 256, or 255 if some pixels are not drawn.
    init?(_ change: GIFChange, atMost count: Int, job: Job) throws(ImageError) {
        width = change.region.size.width
        height = change.region.size.height
        var table = Table()
        guard let indices = try? RowMemory<UInt8>(count: change.region.size.area) else { return nil }
        var row = change.row
        for (place, y) in change.rowRange.enumerated() {
            try job.check()
            change.readColors(y, into: &row)
            guard table.read(row, into: indices.base + place * width, atMost: count) else { return nil }
        }
        self.table = table
        self.indices = indices
    }

    /// The colors in the order in which they first occur, each with red in the lowest byte.
    var colors: [UInt32] { table.colors }

    /// Writes the palette indices of row `y` of the region to `target`, which must have an element for each column.
    /// - Parameter palette: The result of ``indices(in:clear:)``.
    func writeRow(_ y: Int, by palette: [UInt8], into target: inout [UInt8]) {
        var target = target.mutableSpan
        let palette = palette.span
        precondition(palette.count == 256 && target.count == width && y >= 0 && y < height)
        let row = indices.base + y * width
        for x in 0..<width { target[unchecked: x] = palette[unchecked: Int(row[x])] }
    }

    /// Returns a table of 256 bytes that converts each index of ``colors`` to its index in a palette, and ``undrawn``
    /// to `clear`. Returns nil if the palette lacks a color. The palette must not contain a color twice.
    func indices(in palette: [SIMD3<UInt8>], clear: UInt8?) -> [UInt8]? {
        var indices = [UInt8](repeating: clear ?? 0, count: 256)
        var foundCount = 0
        for (index, color) in palette.enumerated() {
            let color = UInt32(color.x) | UInt32(color.y) << 8 | UInt32(color.z) << 16
            guard let number = table.number(of: color) else { continue }
            indices[number] = UInt8(index)
            foundCount += 1
        }
        return foundCount == colors.count ? indices : nil
    }

    /// A hash table of the colors that were read.
    private struct Table {
        private(set) var colors: [UInt32] = []
        /// The color in each occupied slot, combined with ``mark``; 0 for an empty slot.
        private var keys = [UInt32](repeating: 0, count: 1 << tableBits)
        /// The index in ``colors`` of the color in each slot.
        private var numbers = [UInt8](repeating: 0, count: 1 << tableBits)

        /// The odd factor of the hash. It is random, so that no image can be designed whose colors all collide.
        private let factor = UInt32.random(in: 0...UInt32.max) | 1

        /// The bit that distinguishes a color from an empty slot.
        private static let mark: UInt32 = 1 << 25

        /// Returns the index of a color in ``colors``, or nil if it is missing.
        func number(of color: UInt32) -> Int? {
            var place = Self.place(of: color, factor)
            while keys[place] != 0 {
                if keys[place] == color | Self.mark { return Int(numbers[place]) }
                place = Self.place(after: place)
            }
            return nil
        }

        private static func place(of color: UInt32, _ factor: UInt32) -> Int {
            Int((color &* factor) >> UInt32(32 - tableBits))
        }

        private static func place(after place: Int) -> Int { (place + 1) & ((1 << tableBits) - 1) }

        /// Reads a row of colors. Returns false if the region has more than `count` colors.
        /// - Parameter indices: The memory for the result: the index of each pixel's color.
        mutating func read(_ row: [UInt32], into indices: UnsafeMutablePointer<UInt8>, atMost count: Int) -> Bool {
            Self.read(row, into: indices, &colors, atMost: count, &keys, &numbers, factor)
        }

        /// Implements the method above. Each array is an argument, so that its unique ownership is checked only once.
        private static func read(
            _ row: [UInt32], into indices: UnsafeMutablePointer<UInt8>, _ colors: inout [UInt32], atMost count: Int,
            _ keys: inout [UInt32], _ numbers: inout [UInt8], _ factor: UInt32
        ) -> Bool {
            var keys = keys.mutableSpan
            var numbers = numbers.mutableSpan
            precondition(keys.count == 1 << tableBits && numbers.count == keys.count)
            for (x, color) in row.enumerated() {
                guard color != GIFChange.undrawn else {
                    indices[x] = undrawn
                    continue
                }
                let key = color | mark
                var place = place(of: color, factor)
                // The table has at least four times as many slots as colors, so there is always an empty slot.
                while keys[unchecked: place] != key {
                    guard keys[place] == 0 else {
                        place = Self.place(after: place)
                        continue
                    }
                    guard colors.count < count else { return false }
                    keys[place] = key
                    numbers[place] = UInt8(colors.count)
                    colors.append(color)
                }
                indices[x] = numbers[unchecked: place]
            }
            return true
        }
    }
}
#endif
