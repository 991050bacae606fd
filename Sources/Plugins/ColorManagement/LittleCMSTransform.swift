#if COLOR
import CLCMS
import Calotype

/// Turns pixels of one profile into red, green and blue of another, in place; a fourth channel stays as it is.
///
/// `@unchecked Sendable` is sound: the properties are constants, and Little CMS changes nothing behind them once the
/// transform is made.
/// - Without its cache of the last pixel (`cmsFLAGS_NOCACHE`) it only reads a transform while it uses it, and any
///   number of threads may, as its documentation says.
/// - The context is used by all threads to count memory and to note the first error, both behind locks.
/// - `deinit` runs when no reference is left, so that no thread uses the transform any more.
final class LittleCMSTransform: @unchecked Sendable {
    private let handle: cmsHTRANSFORM
    private let context: LittleCMSContext
    let channels: DeviceChannels

    /// Creates a transform from the colors of `source` to those of `target`, a profile of red, green and blue. Throws
    /// `badData` when what either profile says of its colours is damaged or missing, and `outOfMemory`.
    /// - Parameter isExact: Whether each pixel goes through the two profiles as they are, in floating point. Else it
    ///   goes through what Little CMS makes of both. For eight bits of a matrix that is as good, and ten times faster;
    ///   for tables it is one coarser table, which is what everybody shows. For 16 bits it is always such a table, up
    ///   to 20 levels of 255 off near colours that the target does not have.
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

    /// The bytes that the transform's context holds: the transform, once its two profiles are closed.
    var byteCount: Int { context.byteCount }

    /// Converts `count` pixels.
    func apply(to pixels: UnsafeMutableRawPointer, count: Int) {
        cmsDoTransform(handle, pixels, pixels, UInt32(count))
    }
}

extension DeviceChannels {
    /// Little CMS's number for pixels of a format that have these channels.
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
