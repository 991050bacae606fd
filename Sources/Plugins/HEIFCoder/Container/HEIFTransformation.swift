#if HEIF
/// A transformation that is applied to a picture before it is shown.
///
/// Source: ISO/IEC 23008-12:2022, sections 6.5.9, 6.5.10 and 6.5.12.
enum HEIFTransformation {
    case crop(CleanAperture)
    /// A counterclockwise rotation by a number of quarter turns, 0 to 3.
    case rotation(quarters: Int)
    /// A mirroring that swaps left and right if `swapsSides` is true, and otherwise swaps top and bottom.
    case mirror(swapsSides: Bool)
}
#endif
