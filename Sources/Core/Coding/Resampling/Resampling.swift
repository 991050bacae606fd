/// The method of changing a picture's size. All filters except `nearest` premultiply colors by alpha during resampling,
/// so that edges do not darken.
public struct Resampling: Sendable, Hashable {
    /// The filter, which determines the weights of the source pixels. Default: Lanczos with three lobes.
    public var filter: ResamplingFilter
    /// Whether pixels are averaged in linear light, which keeps the brightness of the picture. Default: false; the
    /// encoded levels are averaged, as in most programs.
    ///
    /// Levels are converted to light and back by the curve of sRGB, whatever the picture's profile.
    public var isLinear: Bool

    /// Creates a resampling method. By default, the filter is Lanczos with three lobes, and the encoded levels are
    /// averaged instead of linear light.
    public init(filter: ResamplingFilter = .lanczos3, linear: Bool = false) {
        self.filter = filter
        isLinear = linear
    }
}
