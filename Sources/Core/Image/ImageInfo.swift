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
    /// Whether the levels are those of PQ or HLG, which describe light beyond white. Default: false.
    public var hasHighDynamicRange = false
    /// The color profile of the file; `.sRGB` if the file says nothing.
    public var profile: ColorProfile
    /// Whether the file embeds an ICC profile, damaged or not.
    ///
    /// If false, ``profile`` may still be an ICC profile, made from numbers in the file. If true, ``profile`` may be
    /// another one, if the file describes its colors in more than one way.
    public var hasEmbeddedProfile = false
    /// Whether the profile of the file is damaged. The file then counts as saying nothing about its colors; decoding
    /// goes on, and an event reports it.
    public var isProfileDamaged = false
    /// The frames of an animation as the file places them, all within `pixelSize`; empty for a still.
    public var frames: [FrameInfo]
    /// Whether the file announces more frames than it has, or has frames that cannot be found. Set only if the context
    /// allows partial pictures (`allowPartial`); otherwise such a file is damaged.
    public var lacksFrames = false
    /// The number of times that an animation plays; 0 is forever. 1 for a still.
    public var loopCount: Int
    /// The metadata of the file; read if the context sets `keepsMetadata`, otherwise empty.
    public var metadata: ImageMetadata

    /// Creates the properties of an image; by default a still, stored upright in sRGB.
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

    /// The number of frames; 1 for a still.
    public var frameCount: Int { max(1, frames.count) }
    /// The time for which each frame is shown, one value per frame; empty for a still.
    public var durations: [Duration] { frames.map(\.duration) }

    /// Width and height of the upright picture.
    public var size: PixelSize { orientation.displaySize(of: pixelSize) }

    /// The way in which a file stores color. A coder may add its own.
    public struct ColorModel: RawRepresentable, Hashable, Sendable {
        /// The name, lower-case.
        public let rawValue: String
        /// Creates a color model with a name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// One channel of gray.
        public static let gray = ColorModel(rawValue: "gray")
        /// Red, green, blue.
        public static let rgb = ColorModel(rawValue: "rgb")
        /// An index into a table of colors.
        public static let palette = ColorModel(rawValue: "palette")
        /// Luma and two color differences.
        public static let yCbCr = ColorModel(rawValue: "ycbcr")
        /// Four inks.
        public static let cmyk = ColorModel(rawValue: "cmyk")
    }
}
