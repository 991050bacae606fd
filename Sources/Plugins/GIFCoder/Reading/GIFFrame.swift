#if GIF
import Calotype

/// A frame of a file.
struct GIFFrame {
    /// Its region of the canvas, of at least one pixel, and its time.
    private(set) var info: FrameInfo
    /// The column of its first pixel, which may be beyond the canvas.
    let x: Int
    let y: Int
    /// Its size as stored.
    let size: PixelSize
    let isInterlaced: Bool
    /// The range of its palette's colors in the file; nil without one.
    let palette: Range<Int>?
    /// The index of what is transparent; nil for nothing.
    private(set) var transparentIndex: Int?
    /// The number of bits of an index, by which codes begin.
    let codeSize: UInt8
    /// The range of the sub-blocks of its pixels in the file.
    let data: Range<Int>
    /// The range of the sub-block's body that is cut off, which may be empty; nil when all are there.
    let rest: Range<Int>?
    /// Whether nothing of it is on the canvas.
    private(set) var isHidden = false

    init(
        control: GIFControl, x: Int, y: Int, size: PixelSize, isInterlaced: Bool, palette: Range<Int>?,
        codeSize: UInt8, data: Range<Int>, rest: Range<Int>?
    ) {
        info = FrameInfo(
            duration: control.duration, region: PixelRegion(x: x, y: y, size: size),
            blend: control.transparentIndex == nil ? .source : .over, disposal: control.disposal)
        (self.x, self.y, self.size, self.isInterlaced) = (x, y, size, isInterlaced)
        (self.palette, self.codeSize, self.data, self.rest) = (palette, codeSize, data, rest)
        transparentIndex = control.transparentIndex
    }

    /// Whether all of it is there.
    var isWhole: Bool { rest == nil }

    /// The frame as far as it is on a canvas. One that is not is a transparent pixel.
    func clipped(to canvas: PixelSize) -> GIFFrame {
        var clipped = self
        let width = min(size.width, canvas.width - x)
        let height = min(size.height, canvas.height - y)
        if width > 0, height > 0 {
            clipped.info.region.size = PixelSize(width: width, height: height)
        } else {
            clipped.info.region = PixelRegion(size: PixelSize(1, 1))
            (clipped.info.blend, clipped.info.disposal) = (.over, .keep)
            clipped.isHidden = true
        }
        return clipped
    }
}
#endif
