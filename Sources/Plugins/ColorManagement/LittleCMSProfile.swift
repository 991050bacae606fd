#if COLOR
import CLCMS
import Calotype

/// A profile opened by Little CMS.
final class LittleCMSProfile {
    let context: LittleCMSContext
    let handle: cmsHPROFILE
    /// The rendering intent of conversions that have this profile as their source.
    let intent: ProfileIntent

    /// Opens a profile from its extract, or the sRGB profile if `extract` is nil. Little CMS copies the extract. Throws
    /// `badData` if Little CMS refuses the profile, and `outOfMemory`.
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
