#if COLOR
import CLCMS
import Calotype

/// A profile that Little CMS has opened.
final class LittleCMSProfile {
    let context: LittleCMSContext
    let handle: cmsHPROFILE

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
        self.context = context
    }

    deinit { cmsCloseProfile(handle) }

    /// How colours are meant where this is the source.
    ///
    /// A profile of tables has one for the perceptual intent, the first of them, which was made for pictures: sharp,
    /// Firefox and Pillow take that too; libvips, unless told, the relative one. A matrix and curves know no intents,
    /// and are taken relative to white. In both cases the darkest colour becomes black.
    var intent: UInt32 {
        let isOfTables = cmsIsCLUT(handle, UInt32(INTENT_PERCEPTUAL), UInt32(LCMS_USED_AS_INPUT)) != 0
        return UInt32(isOfTables ? INTENT_PERCEPTUAL : INTENT_RELATIVE_COLORIMETRIC)
    }
}
#endif
