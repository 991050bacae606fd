#if COLOR
import CLCMS

/// The rendering intent of a conversion. It is perceptual if the source profile has a table for that intent, and
/// relative colorimetric for all other profiles. With both intents the darkest color becomes black.
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
