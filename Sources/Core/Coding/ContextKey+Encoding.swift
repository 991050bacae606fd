extension ContextKey where Value == Double {
    /// The quality of lossy formats, from 0 (smallest) to 1 (best). Default: 0.9.
    public static let compressionQuality = ContextKey(
        "compressionQuality", default: 0.9, in: 0...1,
        summary: "The quality of written lossy formats, from 0 (smallest) to 1 (best).")
}

extension ContextKey where Value == FormatQualities {
    /// The qualities of individual lossy formats, which replace ``compressionQuality`` for these formats. Default:
    /// none.
    public static let formatQualities = ContextKey(
        "formatQualities", default: [:],
        summary: "The quality of each written lossy format, in place of `compressionQuality`.")
}

extension ContextKey where Value == Bool {
    /// Whether only the first frame of an animation is written, as a still. Default: false.
    public static let encodeFirstFrameOnly = ContextKey(
        "encodeFirstFrameOnly", summary: "Write only the first frame of an animation, as a still.")
    /// Whether a thumbnail is embedded in written files. Default: false.
    public static let embedThumbnail = ContextKey(
        "embedThumbnail", summary: "Embed a small JPEG of the picture, in formats that have room for one.")
}

extension ContextKey where Value == PixelSize? {
    /// The maximum size of written pictures, in pixels, measured in their upright orientation. Default: nil, no limit.
    public static let encodeMaxPixelSize = ContextKey(
        "encodeMaxPixelSize",
        summary:
            "The maximum size of written pictures in pixels, as shown, never enlarging; a side of 0 does not limit.")
}

extension ContextKey where Value == Int {
    /// The maximum size of a written file, in bytes. Default: 0, no limit.
    public static let encodeMaxFileBytes = ContextKey(
        "encodeMaxFileBytes", default: 0, in: 0...Int.max,
        summary: "Lower the quality of a lossy format until the file has at most so many bytes; 0 does not limit.")
}

extension ContextKey where Value == PixelColor {
    /// The color behind transparent pixels in formats without transparency. Default: white.
    public static let encodeBackground = ContextKey(
        "encodeBackground", default: PixelColor(red: 1, green: 1, blue: 1),
        summary: "The color behind transparent pixels, in formats without transparency.")
}

extension ContextKey where Value == MetadataPolicy {
    /// The metadata that is written beside the pixels. Default: `.profile`, only the color profile.
    public static let metadataPolicy = ContextKey(
        "metadataPolicy", default: .profile,
        summary: "The metadata to write: none, the profile, the profile and the rights holder, or all.")
}

extension ContextSetting {
    /// Sets the quality of lossy formats when writing, 0...1. Default: 0.9.
    public static func compressionQuality(_ quality: Double) -> ContextSetting {
        .set(.compressionQuality, to: quality)
    }
    /// Sets the qualities of individual lossy formats, 0 (smallest) to 1 (best). Default: empty; formats without an
    /// entry use ``compressionQuality(_:)``.
    ///
    /// ```swift
    /// let context: ImageContext = [.formatQualities(["avif": 0.5, "webp": 0.75])]
    /// ```
    public static func formatQualities(_ qualities: FormatQualities) -> ContextSetting {
        .set(.formatQualities, to: qualities)
    }
    /// Writes only the first frame of an animation, as a still. Default: off; all frames are written if the format has
    /// animations.
    public static var encodeFirstFrameOnly: ContextSetting { .on(.encodeFirstFrameOnly) }
    /// Embeds a small JPEG of the picture in written files, if the format has room for one. Default: off.
    public static var embedThumbnail: ContextSetting { .on(.embedThumbnail) }
    /// Writes at most `width` times `height` pixels, keeping the picture's shape and never enlarging. Default: no
    /// limit.
    ///
    /// The limit applies to the picture in its upright orientation. A side of 0 is not limited. Two sides of 0 are the
    /// same as `.off(.encodeMaxPixelSize)`. The picture is resampled like a thumbnail (``resamplingFilter(_:)`` and
    /// ``linearLight``).
    public static func encodeMaxPixelSize(_ width: Int, _ height: Int) -> ContextSetting {
        let size = PixelSize(width: max(0, width), height: max(0, height))
        return .set(.encodeMaxPixelSize, to: size == PixelSize(0, 0) ? nil : size)
    }
    /// Writes files of at most this number of bytes. Default: 0, no limit.
    ///
    /// A lossy format is written with the highest quality, in whole percent, at which the file fits. The quality that
    /// the request sets for the format is the upper limit. If the file is too long, an embedded thumbnail is left out
    /// first. Encoding throws `encodeFailed` if the file fits at no quality, or if the format is lossless and the file
    /// does not fit. Encoding takes up to eight times as long as without a limit, and up to nine times with an embedded
    /// thumbnail.
    public static func encodeMaxFileBytes(_ count: Int) -> ContextSetting {
        .set(.encodeMaxFileBytes, to: max(0, count))
    }
    /// Sets the color behind transparent pixels, in formats without transparency. Default: white.
    public static func encodeBackground(_ color: PixelColor) -> ContextSetting { .set(.encodeBackground, to: color) }
    /// Sets the metadata that is written beside the pixels. Default: `.profile`, only the color profile.
    public static func metadataPolicy(_ policy: MetadataPolicy) -> ContextSetting {
        .set(.metadataPolicy, to: policy)
    }
}

extension ContextDeclaration {
    /// The declarations of the context keys for encoding.
    static let encoding: [ContextDeclaration] = [
        ContextKey.compressionQuality.declaration, ContextKey.formatQualities.declaration,
        ContextKey.encodeFirstFrameOnly.declaration, ContextKey.encodeMaxPixelSize.declaration,
        ContextKey.encodeMaxFileBytes.declaration, ContextKey.encodeBackground.declaration,
        ContextKey.embedThumbnail.declaration, ContextKey.metadataPolicy.declaration,
    ]
}
