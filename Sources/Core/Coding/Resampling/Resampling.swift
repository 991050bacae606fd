/// The method of changing a picture's size. Colors are premultiplied by alpha during resampling, so that edges do not
/// darken.
public struct Resampling: Sendable, Hashable {
    /// The weights of pixels. Default: Lanczos with three lobes.
    public var filter: ResamplingFilter
    /// Whether light is averaged, which keeps the brightness of the picture. Default: false; levels are averaged, as in
    /// most programs.
    ///
    /// Levels are assumed to be those of sRGB, whatever the picture's profile.
    public var isLinear: Bool

    /// Creates a method of resampling; by default Lanczos with three lobes, averaging levels.
    public init(filter: ResamplingFilter = .lanczos3, linear: Bool = false) {
        self.filter = filter
        isLinear = linear
    }
}
