/// The properties of a file that are known without decoding its pixels.
public struct ImageInfo: Sendable, Hashable {
    /// The kind of file.
    public var format: ImageFormat
    /// Width and height as stored.
    public var pixelSize: PixelSize
    /// The orientation of the stored pixels.
    public var orientation: Orientation
    /// Whether a pixel can be transparent.
    public var hasAlpha: Bool
    /// Bits of one channel in the file: 1, 2, 4, 8, 10, 12 or 16.
    public var bitDepth: Int
    /// The way in which the file stores color.
    public var colorModel: ColorModel
    /// Whether the levels are those of PQ or HLG, which have light beyond white. Default: false.
    public var hasHighDynamicRange = false
    /// The color profile of the file; `.sRGB` if it says nothing.
    public var profile: ColorProfile
    /// Whether the file embeds an ICC profile, damaged or not. ``profile`` may be one all the same where it does not,
    /// made of what the file says in numbers, and another one where it says so in more than one way.
    public var hasEmbeddedProfile = false
    /// Whether the file has a profile that is damaged, so that it counts as saying nothing of its colours. Decodes go
    /// on: this is seen in events.
    public var isProfileDamaged = false
    /// The frames of an animation as the file places them, all within `pixelSize`; empty for a still.
    public var frames: [FrameInfo]
    /// Whether the file announces more frames than it has, or has some that cannot be found. Told where the context
    /// says `allowPartial`; else such a file is damaged.
    public var lacksFrames = false
    /// The number of times that an animation plays; 0 is forever. 1 for a still.
    public var loopCount: Int
    /// The metadata of the file; read if the context sets `keepsMetadata`, otherwise empty.
    public var metadata: ImageMetadata

    /// Facts about a still image, stored upright in sRGB unless told.
    public init(
        format: ImageFormat, pixelSize: PixelSize, orientation: Orientation = .up, hasAlpha: Bool, bitDepth: Int = 8,
        colorModel: ColorModel = .rgb, profile: ColorProfile = .sRGB, frames: [FrameInfo] = [], loopCount: Int = 1,
        metadata: ImageMetadata = ImageMetadata()
    ) {
        self.format = format
        self.pixelSize = pixelSize
        self.orientation = orientation
        self.hasAlpha = hasAlpha
        self.bitDepth = bitDepth
        self.colorModel = colorModel
        self.profile = profile
        self.frames = frames
        self.loopCount = loopCount
        self.metadata = metadata
    }

    /// Number of frames; 1 for a still.
    public var frameCount: Int { max(1, frames.count) }
    /// The time for which each frame is shown, one value per frame; empty for a still.
    public var durations: [Duration] { frames.map(\.duration) }

    /// Width and height as displayed: upright.
    public var size: PixelSize { orientation.displaySize(of: pixelSize) }

    /// The way in which a file stores color. A coder may add its own.
    public struct ColorModel: RawRepresentable, Hashable, Sendable {
        /// The name, lower-case.
        public let rawValue: String
        /// A colour model by name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// One channel of gray.
        public static let gray = ColorModel(rawValue: "gray")
        /// Red, green, blue.
        public static let rgb = ColorModel(rawValue: "rgb")
        /// An index into a table of colours.
        public static let palette = ColorModel(rawValue: "palette")
        /// Luma and two differences of colour.
        public static let yCbCr = ColorModel(rawValue: "ycbcr")
        /// Four inks.
        public static let cmyk = ColorModel(rawValue: "cmyk")
    }
}
