#if COLOR
import CLCMS
import Calotype

/// A transform that converts pixels in place, from one profile to another. The fourth channel is unchanged.
final class LittleCMSTransform: Sendable {
    /// The transform of Little CMS.
    ///
    /// `nonisolated(unsafe)` is sound: the handle is constant, and Little CMS does not modify a finished transform.
    /// - Only `init`, `apply` and `deinit` use the handle. `init` has it alone.
    /// - `apply` may run on several threads at once. The transform has no cache of the last pixel (`cmsFLAGS_NOCACHE`),
    ///   so that converting pixels only reads the transform. According to the documentation of Little CMS, any number
    ///   of threads may then use it at once. The threads pass different pixels: each of them is the only owner of its
    ///   rows.
    /// - `deinit` runs without any remaining reference, so no thread is in `apply` any more.
    private nonisolated(unsafe) let handle: cmsHTRANSFORM
    /// The context of the transform. It is released after `deinit` has deleted the transform.
    private let context: LittleCMSContext
    let channels: DeviceChannels

    /// Creates a transform from the colors of `source` to those of `target`, a profile of red, green and blue. Throws
    /// `badData` if the color data of a profile are damaged or missing, and `outOfMemory`.
    /// - Parameter isExact: Whether each pixel passes through both profiles in floating point. If false, Little CMS
    ///   uses a faster form. For eight bits, this form is as good for profiles with matrices, and coarser for profiles
    ///   with tables. For 16 bits, it has errors of up to 20 of 255 levels near colors outside the target's gamut.
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

    /// The number of bytes that Little CMS holds for the transform, and for its profiles until they are closed.
    var byteCount: Int { context.byteCount }

    /// Converts `count` pixels.
    func apply(to pixels: UnsafeMutableRawPointer, count: Int) {
        cmsDoTransform(handle, pixels, pixels, UInt32(count))
    }
}

extension DeviceChannels {
    /// Returns the number by which Little CMS identifies pixels that have these channels and the given format.
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
