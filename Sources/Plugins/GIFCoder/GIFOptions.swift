#if GIF
/// Options for writing GIF.
///
/// The text form is a list separated by commas: `colors=64,dithering=ordered,sharedPalette`.
public struct GIFOptions: Sendable, Hashable {
    /// The maximum number of colors in a palette, 2...256, including the one for transparent pixels. A number outside
    /// this range is clamped. Default: 256.
    public var colors = 256
    /// The dithering for colors missing from the palette. Default: ``Dithering/automatic``.
    public var dithering = Dithering.automatic
    /// Whether all frames share one palette. Default: false.
    ///
    /// If true, each frame is requested twice from its source. If false, each frame has its own palette, or uses the
    /// palette of the first frame if that palette contains all colors of the frame.
    public var sharedPalette = false

    /// Creates the default options.
    public init() {}

    /// A method that approximates colors missing from the palette.
    public enum Dithering: String, Sendable, Hashable, CaseIterable {
        /// ``diffusion`` for stills, ``ordered`` for animations.
        case automatic
        /// The nearest color, which yields the smallest file.
        case none
        /// A fixed pattern, which yields a small file, even for an animation.
        case ordered
        /// Error diffusion to neighboring pixels (Floyd and Steinberg). This method gives the result closest to the
        /// image.
        case diffusion
    }
}
#endif
