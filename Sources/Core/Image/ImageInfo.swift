/// The properties of an image file that are known without decoding its pixels.
public struct ImageInfo: Sendable, Hashable {
    /// The format of the file.
    public var format: ImageFormat
    /// The width and height in pixels as stored, before the picture is turned upright.
    public var pixelSize: PixelSize
    /// The orientation of the stored pixels.
    public var orientation: Orientation
    /// Whether a pixel can be transparent.
    public var hasAlpha: Bool
    /// The number of bits of one channel in the file: 1, 2, 4, 8, 10, 12 or 16.
    public var bitDepth: Int
    /// The way in which the file stores color.
    public var colorModel: ColorModel
    /// Whether the file uses PQ or HLG, which can describe light brighter than white. Default: false.
    public var hasHighDynamicRange = false
    /// The color profile of the file; `.sRGB` if the file does not state its colors.
    public var profile: ColorProfile
    /// Whether the file embeds an ICC profile, damaged or not.
    ///
    /// If false, ``profile`` can still be an ICC profile that was made from numbers in the file. If true, ``profile``
    /// can still differ from the embedded profile, because a file may describe its colors in several ways.
    public var hasEmbeddedProfile = false
    /// Whether the color profile of the file is damaged. Such a file is decoded like a file without a profile, and an
    /// event reports the damage.
    public var isProfileDamaged = false
    /// The frames of an animation as stored in the file; empty for a still image. All frames are within ``pixelSize``.
    public var frames: [FrameInfo]
    /// Whether the file announces more frames than it contains, or contains frames that cannot be located. This can be
    /// true only if the context allows partial pictures (`allowPartial`); otherwise, such a file causes an error.
    public var lacksFrames = false
    /// The number of times that an animation plays; 0 means forever. For a still image, the number is 1.
    public var loopCount: Int
    /// The metadata of the file if the context sets `keepsMetadata`; otherwise empty.
    public var metadata: ImageMetadata

    /// Creates the properties of an image. By default, the image is a still image that is stored upright in sRGB.
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

    /// The number of frames; 1 for a still image.
    public var frameCount: Int { max(1, frames.count) }
    /// The time for which each frame is shown, one value per frame; empty for a still image.
    public var durations: [Duration] { frames.map(\.duration) }

    /// The width and height of the upright picture in pixels.
    public var size: PixelSize { orientation.displaySize(of: pixelSize) }

    /// A color model: the way in which a file stores color. A coder can define further color models.
    public struct ColorModel: RawRepresentable, Hashable, Sendable {
        /// The name of the color model, in lower case.
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
        /// Four inks: cyan, magenta, yellow and black.
        public static let cmyk = ColorModel(rawValue: "cmyk")
    }
}
