#if WEBP
import CWebP
import Calotype

/// A picture in a file: a still image, or a frame of an animation.
struct WebPFrame {
    /// The region on the canvas and the timing; for a still image the whole canvas.
    let info: FrameInfo
    /// The range in the file, beginning with the header of the first chunk.
    let range: Range<Int>
    let hasAlpha: Bool
    /// Whether it is stored as luma and chroma; nil if too few bytes exist to tell.
    let isLossy: Bool?
    /// Whether all bytes exist.
    let isWhole: Bool

    /// Creates the picture at an iterator's position.
    /// - Parameters:
    ///   - iterator: The iterator.
    ///   - file: The first byte of the iterated file.
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
