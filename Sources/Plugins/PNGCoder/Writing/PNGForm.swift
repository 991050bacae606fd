#if PNG
import Calotype

/// The form in which pixels are written: as channels, or as codes of a list of colors.
struct PNGForm {
    /// The number of channels: 1 for gray, 2 for gray and alpha, 3 for color, 4 for color and alpha.
    let channels: Int
    /// The list of colors whose codes are written instead of channels; nil if channels are written.
    let colors: PNGColorList?
    /// The number of bits of a pixel.
    let bitsPerPixel: Int

    /// Chooses the lossless form with the fewest bytes before compression.
    /// - Parameter survey: The properties that all pixels have in common, such as being gray.
    init(_ layout: PixelLayout, _ survey: PNGSurvey, permitsPalette: Bool) {
        func byteCount(bitsPerPixel: Int) -> Int {
            // A row begins with its filter type.
            layout.size.height * (1 + (layout.size.width * bitsPerPixel + 7) / 8)
        }
        channels = (survey.isGray ? 1 : 3) + (survey.isOpaque ? 0 : 1)
        var bits = channels * (layout.format == .rgba8 ? 8 : 16)
        var least = byteCount(bitsPerPixel: bits)
        var chosen: PNGColorList?
        if let colors = survey.colors {
            if survey.isGray, survey.isOpaque, byteCount(bitsPerPixel: colors.grayDepth) < least {
                bits = colors.grayDepth
                least = byteCount(bitsPerPixel: bits)
                colors.makeGrays()
                chosen = colors
            }
            if permitsPalette, byteCount(bitsPerPixel: colors.paletteDepth) + colors.paletteByteCount < least {
                bits = colors.paletteDepth
                colors.makePalette()
                chosen = colors
            }
        }
        colors = chosen
        bitsPerPixel = bits
    }
}
#endif
