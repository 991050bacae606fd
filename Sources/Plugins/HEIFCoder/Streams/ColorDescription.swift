#if HEIF
/// The meaning of a picture's numbers, by the code points of ITU-T H.273.
struct ColorDescription: Hashable, Sendable {
    /// The code point for what is not told.
    static let unspecified = 2

    var primaries = unspecified
    var transfer = unspecified
    var matrix = unspecified
    /// Whether all numbers mean levels; else there is room below black and above white.
    var isFullRange = false
}
#endif
