/// The shape of a picture in planes: Y alone (gray), or Y, Cb and Cr of ITU-R BT.601 in full range, as JFIF has them.
///
/// Samples have 8 bits; 128 is no colour.
public struct PlanarLayout: Sendable, Hashable {
    /// Width and height in pixels of the picture and of the Y plane.
    public var size: PixelSize
    /// Width and height of Cb and of Cr; nil for gray. Each side is the picture's, or half of it rounded up: a sample
    /// then lies in the middle between two pixels.
    public var chromaSize: PixelSize?

    /// A layout of a picture, gray where `chromaSize` is nil.
    public init(size: PixelSize, chromaSize: PixelSize?) {
        self.size = size
        self.chromaSize = chromaSize
    }

    /// Whether the sides of Cb and Cr are as they have to be.
    var isConsistent: Bool {
        guard let chromaSize else { return true }
        func isWholeOrHalf(_ side: Int, of whole: Int) -> Bool { side == whole || side == whole - whole / 2 }
        return isWholeOrHalf(chromaSize.width, of: size.width)
            && isWholeOrHalf(chromaSize.height, of: size.height)
    }
}
