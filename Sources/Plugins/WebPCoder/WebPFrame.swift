#if WEBP
import CWebP
import Calotype

/// A picture in a file: a still image, or a frame of an animation.
struct WebPFrame {
    /// The region on the canvas, and the duration, blend mode and disposal of a frame. A still image covers the canvas.
    let info: FrameInfo
    /// The range of the picture's bytes in the file. The range begins with the header of the picture's first chunk.
    let range: Range<Int>
    let hasAlpha: Bool
    /// Whether the picture is lossy and thus stored as luma and chroma; nil if the file ends too early to know this.
    let isLossy: Bool?
    /// Whether all bytes of the picture exist.
    let isWhole: Bool

    /// Creates the picture at the current position of an iterator. `file` is the beginning of the iterator's file.
    init(_ iterator: WebPIterator, in file: UnsafePointer<UInt8>) {
        info = FrameInfo(
            duration: .milliseconds(Int(iterator.duration)),
            region: PixelRegion(
                x: Int(iterator.x_offset), y: Int(iterator.y_offset),
                size: PixelSize(width: Int(iterator.width), height: Int(iterator.height))),
            // Without alpha both modes have the same result, and this one needs no previous frame.
            blend: iterator.blend_method == WEBP_MUX_BLEND && iterator.has_alpha != 0 ? .over : .source,
            disposal: iterator.dispose_method == WEBP_MUX_DISPOSE_BACKGROUND ? .background : .keep)
        let start = iterator.fragment.bytes - file
        range = start..<start + iterator.fragment.size
        hasAlpha = iterator.has_alpha != 0
        isWhole = iterator.complete != 0
        var features = WebPBitstreamFeatures()
        let status = WebPGetFeatures(iterator.fragment.bytes, iterator.fragment.size, &features)
        isLossy = status == VP8_STATUS_OK ? features.format == 1 : nil
    }

    var size: PixelSize { info.region.size }
}
#endif
