#if GIF
/// Options for writing GIF.
///
/// As text, settings stand between commas: `colors=64,dithering=ordered,sharedPalette`.
public struct GIFOptions: Sendable, Hashable {
    /// The most colors of a palette, that for what is transparent included: 2...256. Default: 256.
    public var colors = 256
    /// The dithering for colors that the palette does not have. Default: ``Dithering/automatic``.
    public var dithering = Dithering.automatic
    /// Whether all frames have one palette, for which each frame is asked for twice. Default: false; each frame has
    /// the palette that suits it, and shares the first one's where that has all its colors.
    public var sharedPalette = false

    /// Creates the default options.
    public init() {}

    /// A method that approximates colors missing from the palette.
    public enum Dithering: String, Sendable, Hashable, CaseIterable {
        /// ``diffusion`` for stills, ``ordered`` for animations.
        case automatic
        /// The nearest color: the smallest file.
        case none
        /// A pattern that stays where it is: a small file, also of an animation.
        case ordered
        /// The error of each pixel is handed on to its neighbors (Floyd and Steinberg): nearest to the picture.
        case diffusion
    }
}
#endif
