#if GIF
import Calotype

/// A frame of a file.
struct GIFFrame {
    /// The region on the canvas, the duration, the blending and the disposal. The region has at least one pixel.
    private(set) var info: FrameInfo
    /// The column of the frame's first pixel, which may lie beyond the canvas.
    let x: Int
    /// The row of the frame's first pixel, which may lie beyond the canvas.
    let y: Int
    /// The size of the stored frame, including the part beyond the canvas.
    let size: PixelSize
    let isInterlaced: Bool
    /// The range in the file of the colors of the frame's palette. The palette of the file is used if the frame has
    /// none. Nil if there is no palette.
    let palette: Range<Int>?
    /// The index of transparent pixels; nil for none.
    private(set) var transparentIndex: Int?
    /// The minimum code size of the LZW data: the number of bits that the data reserves for a palette index.
    let codeSize: UInt8
    /// The range in the file of the complete sub-blocks that contain the pixels.
    let data: Range<Int>
    /// The range in the file of a truncated sub-block's body, which may be empty; nil if all sub-blocks are complete.
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

    /// Returns the frame with its region limited to a canvas. A frame outside the canvas becomes a transparent pixel.
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
