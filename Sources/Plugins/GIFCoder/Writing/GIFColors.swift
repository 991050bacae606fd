#if GIF
import Calotype

/// The colors of a written frame.
struct GIFColors {
    let palette: ColorPalette
    /// The index of undrawn pixels, which follows the palette; nil if all pixels are drawn.
    let clear: UInt8?
    /// The dithering for colors missing from the palette.
    let dithering: GIFOptions.Dithering

    /// Creates the colors of a frame from a histogram. The colors are exact if they fit into a palette.
    /// - Parameters:
    ///   - isSparse: Whether some pixels are not drawn.
    ///   - isAnimated: Whether the file is an animation.
    init(_ histogram: ColorHistogram, isSparse: Bool, isAnimated: Bool, _ options: GIFOptions) {
        let count = Self.count(isSparse: isSparse, options)
        palette = ColorPalette(histogram, count: count)
        clear = isSparse ? UInt8(palette.colors.count) : nil
        dithering = histogram.isExact(atMost: count) ? .none : options.dithering(isAnimated: isAnimated)
    }

    /// Creates the colors of a frame from all colors of a region, which must fit into a palette.
    init(_ region: IndexedRegion, isSparse: Bool) {
        palette = ColorPalette(region.colors.sorted())
        clear = isSparse ? UInt8(palette.colors.count) : nil
        dithering = .none
    }

    /// Creates the colors of a frame that uses the palette of another frame without dithering. The palette must contain
    /// all colors of the frame.
    init(exactly other: GIFColors) {
        (palette, clear, dithering) = (other.palette, other.clear, .none)
    }

    /// Returns the maximum number of colors in a palette, without the index of undrawn pixels.
    static func count(isSparse: Bool, _ options: GIFOptions) -> Int {
        min(max(options.colors, 2), 256) - (isSparse ? 1 : 0)
    }

    /// Returns whether the palette contains all colors of a region.
    func hasAll(of region: IndexedRegion) -> Bool { region.indices(in: palette.colors, clear: clear) != nil }
}

extension GIFOptions {
    fileprivate func dithering(isAnimated: Bool) -> Dithering {
        dithering == .automatic ? (isAnimated ? .ordered : .diffusion) : dithering
    }
}
#endif
