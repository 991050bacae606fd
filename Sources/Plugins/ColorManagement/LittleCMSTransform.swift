#if COLOR
import CLCMS
import Calotype

/// A transform of pixels from one profile to the red, green and blue of another, in place. A fourth channel is
/// unchanged.
///
/// `@unchecked Sendable` is sound, because all properties are constants, and Little CMS does not modify a finished
/// transform:
/// - Without its cache of the last pixel (`cmsFLAGS_NOCACHE`), Little CMS only reads a transform when it uses it. By
///   its documentation any number of threads may do so.
/// - All threads use the context to count memory and to record the first error. Both are protected by locks.
/// - `deinit` runs without any remaining reference, so no thread uses the transform any more.
final class LittleCMSTransform: @unchecked Sendable {
    private let handle: cmsHTRANSFORM
    private let context: LittleCMSContext
    let channels: DeviceChannels

    /// Creates a transform from the colors of `source` to those of `target`, a profile of red, green and blue. Throws
    /// `badData` if the color data of a profile are damaged or missing, and `outOfMemory`.
    /// - Parameter isExact: Whether each pixel passes through both profiles in floating point. Otherwise it passes
    ///   through what Little CMS derives from them. For eight bits and matrices the derived form is as good and ten
    ///   times faster. For tables it is one coarser table, which most programs use. For 16 bits it is always such a
    ///   table, with errors of up to 20 of 255 levels near colors outside the target's gamut.
    init(
        _ source: LittleCMSProfile, _ channels: DeviceChannels, to target: LittleCMSProfile, format: PixelFormat,
        isExact: Bool
    ) throws(ImageError) {
        let flags = cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION | (isExact ? cmsFLAGS_NOOPTIMIZE : 0)
        self.channels = channels
        context = source.context
        guard
            let handle = cmsCreateTransformTHR(
                context.pointer, source.handle, channels.number(for: format), target.handle,
                DeviceChannels.rgb.number(for: format), source.intent.number, UInt32(flags))
        else { throw context.failure }
        self.handle = handle
        if context.isShortOfMemory { throw context.failure }
    }

    deinit { cmsDeleteTransform(handle) }

    /// The number of bytes of the transform's context: only the transform, after its two profiles were closed.
    var byteCount: Int { context.byteCount }

    /// Converts `count` pixels.
    func apply(to pixels: UnsafeMutableRawPointer, count: Int) {
        cmsDoTransform(handle, pixels, pixels, UInt32(count))
    }
}

extension DeviceChannels {
    /// Returns Little CMS's number for the pixels of a format with these channels.
    fileprivate func number(for format: PixelFormat) -> UInt32 {
        let space =
            switch self {
            case .gray: PT_GRAY
            case .rgb: PT_RGB
            case .cmyk: PT_CMYK
            }
        return clcms_format(
            UInt32(space), UInt32(count), UInt32(format.bytesPerPixel / 4), format == .rgbaFloat)
    }
}
#endif
