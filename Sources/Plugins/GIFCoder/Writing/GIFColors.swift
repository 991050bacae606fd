#if GIF
import Calotype

/// The colors that a frame is written in.
struct GIFColors {
    let palette: ColorPalette
    /// The index behind the palette, of what is not drawn; nil if all is.
    let clear: UInt8?
    /// The dithering for colors that the palette does not have.
    let dithering: GIFOptions.Dithering

    /// The colors of a histogram, or as many of the best as there is room for.
    /// - Parameter isSparse: Whether something is not drawn.
    init(_ histogram: ColorHistogram, isSparse: Bool, isAnimated: Bool, _ options: GIFOptions) {
        let count = Self.count(isSparse: isSparse, options)
        palette = ColorPalette(histogram, count: count)
        clear = isSparse ? UInt8(palette.colors.count) : nil
        dithering = histogram.isExact(atMost: count) ? .none : options.dithering(isAnimated: isAnimated)
    }

    /// The colors of a region, all of them.
    init(_ region: IndexedRegion, isSparse: Bool) {
        palette = ColorPalette(region.colors.sorted())
        clear = isSparse ? UInt8(palette.colors.count) : nil
        dithering = .none
    }

    /// The colors of another frame, none of which is missing.
    init(exactly other: GIFColors) {
        (palette, clear, dithering) = (other.palette, other.clear, .none)
    }

    /// Returns the number of colors that a palette has room for.
    static func count(isSparse: Bool, _ options: GIFOptions) -> Int {
        min(max(options.colors, 2), 256) - (isSparse ? 1 : 0)
    }

    /// Whether all colors of a region are in the palette.
    func hasAll(of region: IndexedRegion) -> Bool { region.indices(in: palette.colors, clear: clear) != nil }
}

extension GIFOptions {
    fileprivate func dithering(isAnimated: Bool) -> Dithering {
        dithering == .automatic ? (isAnimated ? .ordered : .diffusion) : dithering
    }
}
#endif
