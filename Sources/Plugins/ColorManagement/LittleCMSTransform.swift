#if COLOR
import CLCMS
import Calotype

/// Turns pixels of one profile into red, green and blue of another, in place; a fourth channel stays as it is.
final class LittleCMSTransform: @unchecked Sendable {
    // Sound because nothing changes once it is made: without its cache of the last pixel, Little CMS only reads a
    // transform while it uses it, and says that any number of threads may.
    private let handle: cmsHTRANSFORM
    private let context: LittleCMSContext
    let channels: Channels

    /// The channels that the source's colours lie in: the first of the four.
    enum Channels {
        case gray
        case rgb
        case cmyk
    }

    /// What turns colours of `source` into those of `target`, a profile of red, green and blue. Throws `badData` when
    /// what either profile says of its colours is damaged or missing.
    /// - Parameter isExact: Whether each pixel goes through the two profiles as they are, in floating point. Else it goes
    ///   through what Little CMS makes of both. For eight bits of a matrix that is as good, and ten times faster; for
    ///   tables it is one coarser table, which is what everybody shows. For 16 bits it is always such a table, up to 20
    ///   levels of 255 off near colours that the target does not have.
    init(
        _ source: LittleCMSProfile, _ channels: Channels, to target: LittleCMSProfile, format: PixelFormat,
        isExact: Bool
    ) throws(ImageError) {
        let flags = cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION | (isExact ? cmsFLAGS_NOOPTIMIZE : 0)
        self.channels = channels
        context = source.context
        guard
            let handle = cmsCreateTransformTHR(
                context.pointer, source.handle, channels.number(for: format), target.handle,
                Channels.rgb.number(for: format), source.intent, UInt32(flags))
        else { throw context.failure }
        self.handle = handle
    }

    deinit { cmsDeleteTransform(handle) }

    /// Converts `count` pixels.
    func apply(to pixels: UnsafeMutableRawPointer, count: Int) {
        cmsDoTransform(handle, pixels, pixels, UInt32(count))
    }
}

extension LittleCMSTransform.Channels {
    /// Little CMS's number for pixels of a format that have these channels.
    fileprivate func number(for format: PixelFormat) -> UInt32 {
        let (space, count) =
            switch self {
            case .gray: (PT_GRAY, 1)
            case .rgb: (PT_RGB, 3)
            case .cmyk: (PT_CMYK, 4)
            }
        return clcms_format(
            UInt32(space), UInt32(count), UInt32(format.bytesPerPixel / 4), format == .rgbaFloat)
    }
}
#endif
