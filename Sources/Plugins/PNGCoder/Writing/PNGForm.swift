#if PNG
import Calotype

/// The form in which pixels are written: the lossless one of PNG's forms that takes the fewest bytes before
/// compression, the palette included.
struct PNGForm {
    /// 1 gray, 2 gray and alpha, 3 colour, 4 colour and alpha.
    let channels: Int
    /// Has the codes to write pixels by in place of channels; nil for channels.
    let colors: PNGColorList?

    /// The form for pixels of a layout, of which the survey tells what is true.
    /// - Parameter permitsPalette: Whether it may have a palette.
    init(_ layout: PixelLayout, _ survey: PNGSurvey, permitsPalette: Bool) {
        func byteCount(bitsPerPixel: Int) -> Int {
            // A row begins with the number of its filter.
            layout.size.height * (1 + (layout.size.width * bitsPerPixel + 7) / 8)
        }
        channels = (survey.isGray ? 1 : 3) + (survey.isOpaque ? 0 : 1)
        var least = byteCount(bitsPerPixel: channels * (layout.format == .rgba8 ? 8 : 16))
        var chosen: PNGColorList?
        if let colors = survey.colors {
            if survey.isGray, survey.isOpaque, byteCount(bitsPerPixel: colors.grayDepth) < least {
                least = byteCount(bitsPerPixel: colors.grayDepth)
                colors.makeGrays()
                chosen = colors
            }
            if permitsPalette, byteCount(bitsPerPixel: colors.paletteDepth) + colors.paletteByteCount < least {
                colors.makePalette()
                chosen = colors
            }
        }
        colors = chosen
    }
}
#endif
