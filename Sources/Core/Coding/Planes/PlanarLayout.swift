/// The shape of a picture in planes: Y alone (gray), or Y, Cb and Cr of ITU-R BT.601.
///
/// Samples have 8 bits. In Cb and Cr, 128 means no color.
public struct PlanarLayout: Sendable, Hashable {
    /// The range of levels that samples use.
    public enum Range: Sendable, Hashable {
        /// All of 0...255, as in JFIF.
        case full
        /// Y from 16 (black) to 235 (white), Cb and Cr from 16 to 240, as in video and WebP.
        case limited
    }

    /// Width and height in pixels of the picture and of the Y plane.
    public var size: PixelSize
    /// Width and height of Cb and of Cr; nil for gray. Each side is as long as that of the picture, or half as long,
    /// rounded up. If a side is half as long, each sample lies in the middle between two pixels.
    public var chromaSize: PixelSize?
    /// The range of levels that samples use. A sink refuses the planes of a gray picture whose range is limited.
    public var range: Range

    /// Creates the layout of a picture, which is gray if `chromaSize` is nil.
    public init(size: PixelSize, chromaSize: PixelSize?, range: Range = .full) {
        self.size = size
        self.chromaSize = chromaSize
        self.range = range
    }

    /// Whether the size of Cb and Cr fits that of the picture, and a gray picture has full range.
    var isConsistent: Bool {
        guard let chromaSize else { return range == .full }
        func isWholeOrHalf(_ side: Int, of whole: Int) -> Bool { side == whole || side == whole - whole / 2 }
        return isWholeOrHalf(chromaSize.width, of: size.width)
            && isWholeOrHalf(chromaSize.height, of: size.height)
    }
}
