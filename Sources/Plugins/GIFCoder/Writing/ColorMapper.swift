#if GIF
import Calotype

/// A converter of rows of colors to palette indices. Use it on one thread at a time.
struct ColorMapper {
    private let palette: ColorPalette
    private let search: ColorSearch
    private let dithering: GIFOptions.Dithering
    /// The index of undrawn pixels.
    private let clear: UInt8
    /// A cache of palette indices, by the hash of the color. Each element is a color with its index in the highest
    /// byte. Unused elements contain the first color of the palette.
    private var known: [UInt32]
    /// The number of low bits of a hash product to discard. The remaining bits are the number of the slot.
    private let knownShift: UInt32
    /// The errors that error diffusion adds to the current row (`above`) and to the next row (`below`), in sixteenths
    /// of a level. Both arrays have an additional pixel at each end.
    private var errors: (above: [SIMD3<Int32>], below: [SIMD3<Int32>])

    /// The offsets that ordered dithering adds to the pixels of an 8x8 square; empty for other methods.
    private let pattern: [Int32]

    /// Creates a mapper.
    /// - Parameters:
    ///   - clear: The index of undrawn pixels; ignored if all pixels are drawn.
    ///   - size: The size of the region to convert.
    init(_ palette: ColorPalette, dithering: GIFOptions.Dithering, clear: UInt8, size: PixelSize) {
        (self.palette, self.dithering, self.clear) = (palette, dithering, clear)
        search = ColorSearch(palette.colors)
        let bits = min(max(UInt32.bitWidth - UInt32(clamping: size.area).leadingZeroBitCount, 10), 14)
        knownShift = UInt32(UInt32.bitWidth - bits)
        let colors = palette.colors.map { Self.number(SIMD3<Int32>(truncatingIfNeeded: $0)) }
        known = Array(repeating: colors.first ?? 0, count: 1 << bits)
        // The offsets reach from a color of the palette halfway to the next one.
        let strength = dithering == .ordered ? min(palette.spacing / 2, 64) : 0
        pattern = dithering == .ordered ? Self.pattern.map { Int32((Double($0) * strength / 64).rounded()) } : []
        let none = [SIMD3<Int32>](repeating: SIMD3(), count: dithering == .diffusion ? size.width + 2 : 0)
        errors = (none, none)
        for (index, color) in colors.enumerated() { known[place(of: color)] = color | UInt32(index) << 24 }
    }

    /// Converts colors in row `y` of the picture to palette indices.
    /// - Parameters:
    ///   - colors: The colors of the pixels, with red in the lowest byte, or ``GIFChange/undrawn``.
    ///   - x: The column of the picture at which the colors begin.
    ///   - indices: The result, with an element for each pixel.
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

    /// Converts a row with error diffusion. Every other row runs backwards, so that errors do not accumulate in a
    /// corner.
    private mutating func diffuse(_ colors: [UInt32], isForward: Bool, into indices: inout [UInt8]) {
        let step = isForward ? 1 : -1
        for place in colors.indices {
            let column = isForward ? place : colors.count - 1 - place
            guard colors[column] != GIFChange.undrawn else {
                indices[column] = clear
                continue
            }
            // The error is rounded to the nearest level.
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

    /// Returns the palette index of a color, which has red in the lowest byte.
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

    /// Bayer's 8x8 matrix for ordered dithering at full strength, centered around zero: the odd numbers from -63 to 63.
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
