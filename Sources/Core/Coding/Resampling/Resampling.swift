/// The method of changing a picture's size. Colors are premultiplied by alpha meanwhile, so that edges do not go dark.
public struct Resampling: Sendable, Hashable {
    /// The weights of pixels. Default: Lanczos with three lobes.
    public var filter: ResamplingFilter
    /// Whether light is averaged, which keeps brightness, or levels as they are, as most programs do. Default: false,
    /// levels.
    ///
    /// Levels are taken for those of sRGB, whatever the picture's profile.
    public var isLinear: Bool

    /// A way of resampling; the usual one unless told.
    public init(filter: ResamplingFilter = .lanczos3, linear: Bool = false) {
        self.filter = filter
        isLinear = linear
    }
}
