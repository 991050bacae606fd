#if COLOR
import CLCMS

/// The rendering intent of a conversion. The source profile determines it.
///
/// A profile with tables is used with the perceptual intent, which is meant for pictures and for which every such
/// profile has a table. sharp, Firefox and Pillow use this intent too; the default of libvips is the relative
/// colorimetric one. A profile with a matrix and curves has no tables for intents and is used with the relative
/// colorimetric intent. With both intents the darkest color becomes black.
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
