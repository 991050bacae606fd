#if COLOR
import CLCMS
import Calotype

/// A profile that Little CMS has opened.
final class LittleCMSProfile {
    let context: LittleCMSContext
    let handle: cmsHPROFILE
    /// The intent of a conversion in which this is the source.
    let intent: ProfileIntent

    /// Opens sRGB, or the extract of a profile, of which Little CMS takes a copy. Tags are read when they are needed.
    /// Throws `badData` when Little CMS refuses it, and `outOfMemory`.
    init(_ extract: ProfileExtract?, _ context: LittleCMSContext) throws(ImageError) {
        let handle: cmsHPROFILE? =
            if let extract {
                extract.data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> cmsHPROFILE? in
                    cmsOpenProfileFromMemTHR(context.pointer, bytes.baseAddress, UInt32(clamping: bytes.count))
                }
            } else {
                cmsCreate_sRGBProfileTHR(context.pointer)
            }
        guard let handle else { throw context.failure }
        self.handle = handle
        intent = extract?.intent ?? .relative
        self.context = context
    }

    deinit { cmsCloseProfile(handle) }
}
#endif
