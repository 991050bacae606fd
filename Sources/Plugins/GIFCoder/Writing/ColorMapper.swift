#if GIF
import Calotype

/// Turns rows of colors into indices of a palette. Remembers colors that it has looked for. Used by one thread at a
/// time.
struct ColorMapper {
    private let palette: ColorPalette
    private let search: ColorSearch
    private let dithering: GIFOptions.Dithering
    /// The index of what is not drawn.
    private let clear: UInt8
    /// Colors, each with its index in the highest byte, at places that a product spreads them over. A place that no
    /// other color has taken has the first one of the palette.
    private var known: [UInt32]
    /// The bits of a product that are no part of a place.
    private let knownShift: UInt32
    /// The errors that the row above and this row hand on, in sixteenths, with one pixel more at each end.
    private var errors: (above: [SIMD3<Int32>], below: [SIMD3<Int32>])

    /// The offsets that ordered dithering adds to the pixels of an 8x8 square.
    private let pattern: [Int32]

    /// - Parameters:
    ///   - clear: The index of what is not drawn; of no meaning where all is.
    ///   - size: The size of the picture whose rows are mapped.
    init(_ palette: ColorPalette, dithering: GIFOptions.Dithering, clear: UInt8, size: PixelSize) {
        (self.palette, self.dithering, self.clear) = (palette, dithering, clear)
        search = ColorSearch(palette.colors)
        let bits = min(max(UInt32.bitWidth - UInt32(clamping: size.area).leadingZeroBitCount, 10), 14)
        knownShift = UInt32(UInt32.bitWidth - bits)
        let colors = palette.colors.map { Self.number(SIMD3<Int32>(truncatingIfNeeded: $0)) }
        known = Array(repeating: colors.first ?? 0, count: 1 << bits)
        // From one color of the palette halfway to the next.
        let strength = dithering == .ordered ? min(palette.spacing / 2, 64) : 0
        pattern = dithering == .ordered ? Self.pattern.map { Int32((Double($0) * strength / 64).rounded()) } : []
        let none = [SIMD3<Int32>](repeating: SIMD3(), count: dithering == .diffusion ? size.width + 2 : 0)
        errors = (none, none)
        for (index, color) in colors.enumerated() { known[place(of: color)] = color | UInt32(index) << 24 }
    }

    /// Turns a row into indices.
    /// - Parameters:
    ///   - y: The number of the row.
    ///   - x: The column of its first pixel.
    mutating func map(_ colors: [UInt32], y: Int, x: Int, into indices: inout [UInt8]) {
        switch dithering {
        case .diffusion: diffuse(colors, isForward: y.isMultiple(of: 2), into: &indices)
        case .ordered:
            for column in colors.indices {
                let shift = pattern[(y & 7) * 8 + (x + column) & 7]
                indices[column] =
                    colors[column] == GIFChange.undrawn
                    ? clear : index(of: Self.clamped(Self.channels(colors[column]) &+ SIMD3(repeating: shift)))
            }
        case .none, .automatic:
            var target = indices.mutableSpan
            for column in colors.indices {
                let color = colors[column]
                let entry = known[place(of: color)]
                if entry & 0xFF_FFFF == color {
                    target[column] = UInt8(entry >> 24)
                } else {
                    target[column] = color == GIFChange.undrawn ? clear : index(of: color)
                }
            }
        }
    }

    /// Diffuses the errors of a row. Every other row runs backwards, so that errors do not gather in a corner.
    private mutating func diffuse(_ colors: [UInt32], isForward: Bool, into indices: inout [UInt8]) {
        let step = isForward ? 1 : -1
        for place in colors.indices {
            let column = isForward ? place : colors.count - 1 - place
            guard colors[column] != GIFChange.undrawn else {
                indices[column] = clear
                continue
            }
            // Rounded towards the nearest.
            let color = Self.clamped(
                Self.channels(colors[column]) &+ ((errors.above[column + 1] &+ 8) &>> 4))
            let index = index(of: color)
            indices[column] = index
            let error = color &- SIMD3<Int32>(truncatingIfNeeded: palette.colors[Int(index)])
            errors.above[column + 1 + step] &+= error &* 7
            errors.below[column + 1 - step] &+= error &* 3
            errors.below[column + 1] &+= error &* 5
            errors.below[column + 1 + step] &+= error
        }
        swap(&errors.above, &errors.below)
        for column in errors.below.indices { errors.below[column] = SIMD3() }
    }

    private mutating func index(of color: SIMD3<Int32>) -> UInt8 { index(of: Self.number(color)) }

    /// The index of a color, red from the lowest byte on.
    private mutating func index(of color: UInt32) -> UInt8 {
        let place = place(of: color)
        let entry = known[place]
        if entry & 0xFF_FFFF == color { return UInt8(entry >> 24) }
        let index = UInt8(search.nearest(Self.channels(color)))
        known[place] = color | UInt32(index) << 24
        return index
    }

    private func place(of color: UInt32) -> Int { Int((color &* 2_654_435_761) >> knownShift) }

    private static func number(_ color: SIMD3<Int32>) -> UInt32 {
        UInt32(color.x) | UInt32(color.y) << 8 | UInt32(color.z) << 16
    }

    private static func channels(_ color: UInt32) -> SIMD3<Int32> {
        SIMD3(Int32(color & 0xFF), Int32(color >> 8 & 0xFF), Int32(color >> 16 & 0xFF))
    }

    private static func clamped(_ color: SIMD3<Int32>) -> SIMD3<Int32> {
        color.clamped(lowerBound: SIMD3(), upperBound: SIMD3(repeating: 255))
    }

    /// Bayer's order of the pixels of an 8x8 square, around zero: odd numbers from -63 to 63.
    private static let pattern: [Int32] = (0..<64).map { place in
        let (x, y) = (place % 8, place / 8)
        let rank = (0..<3).reduce(into: Int32(0)) { rank, bit in
            let (one, other) = (Int32(x >> bit & 1), Int32(y >> bit & 1))
            rank |= (one ^ other) << Int32(5 - 2 * bit) | other << Int32(4 - 2 * bit)
        }
        return rank * 2 - 63
    }
}
#endif
