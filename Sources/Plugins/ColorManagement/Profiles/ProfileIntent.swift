#if COLOR
import CLCMS

/// The rendering intent of a conversion, chosen by its source profile.
///
/// A profile with tables always has one for the perceptual intent, which was made for pictures. sharp, Firefox and
/// Pillow use it too; the default of libvips is the relative one. A profile with a matrix and curves has no intents and
/// is used relative to white. In both cases the darkest color becomes black.
enum ProfileIntent {
    case perceptual
    case relative

    /// Little CMS's number for the intent.
    var number: UInt32 {
        switch self {
        case .perceptual: UInt32(INTENT_PERCEPTUAL)
        case .relative: UInt32(INTENT_RELATIVE_COLORIMETRIC)
        }
    }
}
#endif
