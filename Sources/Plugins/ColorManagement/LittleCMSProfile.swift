#if COLOR
import CLCMS
import Calotype

/// A profile that Little CMS has opened.
final class LittleCMSProfile {
    let context: LittleCMSContext
    let handle: cmsHPROFILE

    /// Opens a profile, of which Little CMS takes a copy. Throws `badData` when its header or its table of tags is
    /// damaged; tags themselves are read when they are needed.
    init(_ profile: ColorProfile, _ context: LittleCMSContext) throws(ImageError) {
        let handle: cmsHPROFILE? =
            switch profile {
            case .sRGB: cmsCreate_sRGBProfileTHR(context.pointer)
            case .icc(let data):
                data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> cmsHPROFILE? in
                    cmsOpenProfileFromMemTHR(context.pointer, bytes.baseAddress, UInt32(clamping: bytes.count))
                }
            }
        guard let handle else { throw context.failure }
        self.handle = handle
        self.context = context
    }

    deinit { cmsCloseProfile(handle) }

    /// What the profile's numbers are amounts of.
    var colorSpace: cmsColorSpaceSignature { cmsGetColorSpace(handle) }

    /// The name of the colour space in the profile, which for a damaged one may be anything.
    var colorSpaceName: String {
        let signature = colorSpace.rawValue
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: signature >> $0) }
        let name = String(decoding: bytes.filter { (33...126).contains($0) }, as: UTF8.self)
        return name.isEmpty ? "no known kind" : name
    }

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
