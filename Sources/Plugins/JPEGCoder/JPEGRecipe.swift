#if JPEG
import CJPEGShim
import Calotype

/// The settings for writing a JPEG.
struct JPEGRecipe {
    /// The quality, from 1 to 100.
    var percent: Int
    /// Whether the picture is written in gray, with one channel.
    var isGray = false
    var subsampling = JPEGSubsampling.quarter
    var isProgressive = false
    /// Whether Huffman codes are computed for the picture, instead of using those of the standard.
    var hasOwnTables = false
    /// Whether only the segments that decoding needs are written.
    var isBare = false
    /// The background behind transparent pixels: red, green and blue from 0 to 255.
    var background: (red: UInt8, green: UInt8, blue: UInt8) = (255, 255, 255)

    /// Returns the settings and a pixel layout in the form that libjpeg's writer takes.
    func picture(_ layout: PixelLayout) -> cjpeg_picture {
        var picture = cjpeg_picture()
        picture.width = UInt32(clamping: layout.size.width)
        picture.height = UInt32(clamping: layout.size.height)
        picture.format =
            switch layout.format {
            case .rgba8: CJPEG_RGBA8
            case .rgba16: CJPEG_RGBA16
            case .rgbaFloat: CJPEG_RGBA_FLOAT
            }
        picture.is_opaque = layout.isOpaque
        picture.background = (background.red, background.green, background.blue)
        picture.is_gray = isGray
        picture.is_progressive = isProgressive
        picture.has_own_tables = hasOwnTables
        picture.is_bare = isBare
        picture.quality = Int32(clamping: percent)
        picture.horizontal_factor = Int32(subsampling.horizontalFactor)
        picture.vertical_factor = Int32(subsampling.verticalFactor)
        return picture
    }
}
#endif
