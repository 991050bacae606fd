#if GIF
import Calotype

/// A frame of a file.
struct GIFFrame {
    /// The frame's region of the canvas, of at least one pixel, and its timing.
    private(set) var info: FrameInfo
    /// The column of the frame's first pixel, which may lie beyond the canvas.
    let x: Int
    let y: Int
    /// The size as stored.
    let size: PixelSize
    let isInterlaced: Bool
    /// The range of the palette's colors in the file; nil if the frame has no palette.
    let palette: Range<Int>?
    /// The index of transparent pixels; nil for none.
    private(set) var transparentIndex: Int?
    /// The number of bits of an index, which is the initial code size.
    let codeSize: UInt8
    /// The range of the sub-blocks with the pixels in the file.
    let data: Range<Int>
    /// The range of the body of a truncated sub-block, which may be empty; nil if all are complete.
    let rest: Range<Int>?
    /// Whether no part of the frame is on the canvas.
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

    /// Whether the frame is complete.
    var isWhole: Bool { rest == nil }

    /// Returns the part of the frame on a canvas. Without such a part the result is a transparent pixel.
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
