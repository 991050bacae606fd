#if HEIF
/// The meaning of a picture's samples, as code points of ITU-T H.273.
struct ColorDescription: Hashable, Sendable {
    /// The code point for an unspecified value.
    static let unspecified = 2

    var primaries = unspecified
    var transfer = unspecified
    var matrix = unspecified
    /// Whether the samples use all levels. If false, the lowest and the highest levels are reserved.
    var isFullRange = false
}
#endif
