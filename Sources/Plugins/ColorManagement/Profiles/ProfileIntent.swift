#if COLOR
import CLCMS

/// The way colours are meant where a profile is the source of a conversion.
///
/// A profile of tables has one for the perceptual intent, the first of them, which was made for pictures: sharp,
/// Firefox and Pillow take that too; libvips, unless told, the relative one. A matrix and curves know no intents, and
/// are taken relative to white. In both cases the darkest colour becomes black.
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
