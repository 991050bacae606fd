extension ContextKey where Value == PixelSize? {
    /// The size to decode to.
    public static let thumbnailPixelSize = ContextKey(
        "thumbnailPixelSize", affects: .pixels,
        summary: "Decode to at most this size in pixels, never enlarging; a side of 0 does not limit.")
}

extension ContextKey where Value == Bool {
    /// Whether a thumbnail keeps the picture's shape.
    public static let preservesAspectRatio = ContextKey(
        "preservesAspectRatio", default: true, affects: .pixels,
        summary: "Fit the thumbnail into its size; when off, stretch it to exactly that size.")
    /// Whether more than 8 bits are kept.
    public static let nativeDepth = ContextKey(
        "nativeDepth", affects: .pixels, summary: "Keep more than 8 bits of a channel where the file has them.")
    /// Whether pixels stay as stored.
    public static let keepsOrientation = ContextKey(
        "keepsOrientation", affects: .pixels, summary: "Leave the pixels as stored and say how to turn them.")
    /// Whether the embedded profile is kept.
    public static let keepsProfile = ContextKey(
        "keepsProfile", affects: .pixels,
        summary: "Leave the colours in the embedded profile, not in sRGB; inks become sRGB all the same.")
}

extension ContextKey where Value == Int {
    /// Which frame to decode.
    public static let frame = ContextKey(
        "frame", default: 0, in: 0...Int(Int32.max), affects: .pixels,
        summary: "The frame to decode, 0 being the first.")
    /// The largest picture in pixels.
    public static let maxPixels = ContextKey(
        "maxPixels", default: 268_000_000, in: 1...Int.max, affects: [.transfer, .stored],
        summary: "Refuse pictures of more pixels than this, before memory is taken for them.")
    /// The longest side in pixels.
    public static let maxSidePixels = ContextKey(
        "maxSidePixels", default: 65_535, in: 1...Int.max, affects: [.transfer, .stored],
        summary: "Refuse pictures with a side longer than this, in pixels.")
    /// The largest profile in bytes.
    public static let maxProfileBytes = ContextKey(
        "maxProfileBytes", default: 4 << 20, in: 0...Int.max, affects: [.transfer, .stored],
        summary: "Refuse pictures whose colour profile is longer than this, in bytes.")
}

extension ContextKey where Value == Double {
    /// How good a lossy format should be.
    public static let compressionQuality = ContextKey(
        "compressionQuality", default: 0.9, in: 0...1,
        summary: "How good a lossy format should be when written, from 0 (smallest) to 1 (best).")
}

extension ContextKey where Value == (any ImageCoder)? {
    /// The coder to use instead of the registered ones.
    public static let imageCoder = ContextKey(
        "imageCoder", default: nil, affects: [.transfer, .pixels],
        summary: "The coder to use instead of the registered ones."
    ) { $0?.identity ?? "none" }
}

extension ContextSetting {
    /// Decode to at most `width` times `height` pixels, never enlarging. A side of 0 does not limit; two of them are
    /// the same as `.off(.thumbnailPixelSize)`.
    public static func thumbnailPixelSize(_ width: Int, _ height: Int) -> ContextSetting {
        let size = PixelSize(width: max(0, width), height: max(0, height))
        return .set(.thumbnailPixelSize, to: size == PixelSize(0, 0) ? nil : size)
    }
    /// Whether a thumbnail keeps the picture's shape. Default: true.
    public static func preservesAspectRatio(_ isOn: Bool) -> ContextSetting { .set(.preservesAspectRatio, to: isOn) }
    /// Keep more than 8 bits of a channel where the file has them.
    public static var nativeDepth: ContextSetting { .on(.nativeDepth) }
    /// Leave the pixels as stored and say how to turn them.
    public static var keepsOrientation: ContextSetting { .on(.keepsOrientation) }
    /// Leave the colours in the embedded profile.
    public static var keepsProfile: ContextSetting { .on(.keepsProfile) }
    /// The frame to decode, 0 being the first and the default.
    public static func frame(_ index: Int) -> ContextSetting { .set(.frame, to: index) }
    /// Refuse pictures of more pixels than this. Default: 268 million.
    public static func maxPixels(_ count: Int) -> ContextSetting { .set(.maxPixels, to: count) }
    /// Refuse pictures with a side longer than this. Default: 65,535 pixels.
    public static func maxSidePixels(_ count: Int) -> ContextSetting { .set(.maxSidePixels, to: count) }
    /// Refuse pictures whose colour profile is longer than this. Default: 4 MiB.
    public static func maxProfileBytes(_ count: Int) -> ContextSetting { .set(.maxProfileBytes, to: count) }
    /// How good a lossy format should be when written, 0...1. Default: 0.9.
    public static func compressionQuality(_ quality: Double) -> ContextSetting {
        .set(.compressionQuality, to: quality)
    }
    /// The coder to use instead of the registered ones.
    public static func imageCoder(_ coder: any ImageCoder) -> ContextSetting { .set(.imageCoder, to: coder) }
}
