#if WEBP
import CWebP
import Calotype

/// A picture in a file: the still, or a frame of an animation.
struct WebPFrame {
    /// Its place on the canvas, and in time; of a still all of it.
    let info: FrameInfo
    /// Its range in the file, from the header of its first chunk on.
    let range: Range<Int>
    let hasAlpha: Bool
    /// Whether it is stored as luma and chroma; nil if too little of it is there to tell.
    let isLossy: Bool?
    /// Whether all bytes of it are there.
    let isWhole: Bool

    /// - Parameter file: The first byte of the file that the iterator goes through.
    init(_ iterator: WebPIterator, in file: UnsafePointer<UInt8>) {
        info = FrameInfo(
            duration: .milliseconds(Int(iterator.duration)),
            region: PixelRegion(
                x: Int(iterator.x_offset), y: Int(iterator.y_offset),
                size: PixelSize(width: Int(iterator.width), height: Int(iterator.height))),
            // Without alpha both are the same, and this one needs no frame before it.
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
