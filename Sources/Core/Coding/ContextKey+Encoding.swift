extension ContextKey where Value == Double {
    /// The quality of lossy formats.
    public static let compressionQuality = ContextKey(
        "compressionQuality", default: 0.9, in: 0...1,
        summary: "The quality of written lossy formats, from 0 (smallest) to 1 (best).")
}

extension ContextKey where Value == FormatQualities {
    /// The qualities of lossy formats.
    public static let formatQualities = ContextKey(
        "formatQualities", default: [:],
        summary: "The quality of each written lossy format, in place of `compressionQuality`.")
}

extension ContextKey where Value == Bool {
    /// Whether an animation is written as a still.
    public static let encodeFirstFrameOnly = ContextKey(
        "encodeFirstFrameOnly", summary: "Write only the first frame of an animation, as a still.")
    /// Whether a thumbnail is written beside the picture.
    public static let embedThumbnail = ContextKey(
        "embedThumbnail", summary: "Embed a small JPEG of the picture, in formats that have room for one.")
}

extension ContextKey where Value == PixelSize? {
    /// The largest size to write.
    public static let encodeMaxPixelSize = ContextKey(
        "encodeMaxPixelSize",
        summary:
            "The maximum size of written pictures in pixels, as shown, never enlarging; a side of 0 does not limit.")
}

extension ContextKey where Value == Int {
    /// The most bytes of a file that is written.
    public static let encodeMaxFileBytes = ContextKey(
        "encodeMaxFileBytes", default: 0, in: 0...Int.max,
        summary: "Lower the quality of a lossy format until the file has at most so many bytes; 0 does not limit.")
}

extension ContextKey where Value == PixelColor {
    /// The color behind transparent pixels in formats without transparency.
    public static let encodeBackground = ContextKey(
        "encodeBackground", default: PixelColor(red: 1, green: 1, blue: 1),
        summary: "The color behind transparent pixels, in formats without transparency.")
}

extension ContextKey where Value == MetadataPolicy {
    /// The metadata that is written beside the pixels.
    public static let metadataPolicy = ContextKey(
        "metadataPolicy", default: .profile,
        summary: "The metadata to write: none, the profile, the profile and the rights holder, or all.")
}

extension ContextSetting {
    /// Sets the quality of lossy formats when writing, 0...1. Default: 0.9.
    public static func compressionQuality(_ quality: Double) -> ContextSetting {
        .set(.compressionQuality, to: quality)
    }
    /// Sets the quality of each lossy format by itself. Default: empty; formats without an entry use
    /// ``compressionQuality(_:)``.
    ///
    /// ```swift
    /// let context: ImageContext = [.formatQualities(["avif": 0.5, "webp": 0.75])]
    /// ```
    public static func formatQualities(_ qualities: FormatQualities) -> ContextSetting {
        .set(.formatQualities, to: qualities)
    }
    /// Write the first frame of an animation alone, as a still. Default: all of it, where the format has animations.
    public static var encodeFirstFrameOnly: ContextSetting { .on(.encodeFirstFrameOnly) }
    /// Write a small JPEG of the picture beside it, in formats that have room for one.
    public static var embedThumbnail: ContextSetting { .on(.embedThumbnail) }
    /// Write at most `width` times `height` pixels, as the picture is shown, keeping its shape and never enlarging, by
    /// the filter of thumbnails. A side of 0 does not limit; two of them are the same as `.off(.encodeMaxPixelSize)`.
    public static func encodeMaxPixelSize(_ width: Int, _ height: Int) -> ContextSetting {
        let size = PixelSize(width: max(0, width), height: max(0, height))
        return .set(.encodeMaxPixelSize, to: size == PixelSize(0, 0) ? nil : size)
    }
    /// Write at most so many bytes: of a lossy format with the highest quality, in whole percent, that is not above
    /// `compressionQuality` and fits. Encoding throws `encodeFailed` where none does, and where a lossless format takes
    /// more. It takes up to eight times as long. Default: 0, which does not limit.
    public static func encodeMaxFileBytes(_ count: Int) -> ContextSetting {
        .set(.encodeMaxFileBytes, to: max(0, count))
    }
    /// The colour behind what is transparent, in formats without transparency. Default: white.
    public static func encodeBackground(_ color: PixelColor) -> ContextSetting { .set(.encodeBackground, to: color) }
    /// Sets the metadata that is written beside the pixels. Default: `.profile`, the colour profile alone.
    public static func metadataPolicy(_ policy: MetadataPolicy) -> ContextSetting {
        .set(.metadataPolicy, to: policy)
    }
}

extension ContextDeclaration {
    /// The keys of encoding.
    static let encoding: [ContextDeclaration] = [
        ContextKey.compressionQuality.declaration, ContextKey.formatQualities.declaration,
        ContextKey.encodeFirstFrameOnly.declaration, ContextKey.encodeMaxPixelSize.declaration,
        ContextKey.encodeMaxFileBytes.declaration, ContextKey.encodeBackground.declaration,
        ContextKey.embedThumbnail.declaration, ContextKey.metadataPolicy.declaration,
    ]
}
