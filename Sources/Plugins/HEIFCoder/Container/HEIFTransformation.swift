#if HEIF
/// A change to a picture before it is shown.
///
/// Source: ISO/IEC 23008-12:2022, sections 6.5.9, 6.5.10 and 6.5.12.
enum HEIFTransformation {
    case crop(CleanAperture)
    /// The picture is turned anticlockwise, by a number of quarters of a turn.
    case rotation(quarters: Int)
    /// The picture is mirrored: left and right change places, or else top and bottom do.
    case mirror(swapsSides: Bool)
}
#endif
