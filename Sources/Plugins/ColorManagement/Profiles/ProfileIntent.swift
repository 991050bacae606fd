#if COLOR
import CLCMS

/// The rendering intent of a conversion. The source profile determines it.
///
/// A profile with a table for the perceptual intent is used with that intent, which is meant for pictures. sharp,
/// Firefox and Pillow use this intent too; the default of libvips is the relative colorimetric one. Every other profile
/// is used with the relative colorimetric intent; a profile with a matrix and curves has no tables for intents. With
/// both intents the darkest color becomes black.
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
