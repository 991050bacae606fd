#if HEIF
/// The meaning of a picture's samples, by the code points of ITU-T H.273.
struct ColorDescription: Hashable, Sendable {
    /// The code point for an unspecified value.
    static let unspecified = 2

    var primaries = unspecified
    var transfer = unspecified
    var matrix = unspecified
    /// Whether levels use the full range. Otherwise there is room below black and above white.
    var isFullRange = false
}
#endif
