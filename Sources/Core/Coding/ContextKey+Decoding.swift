extension ContextKey where Value == Int {
    /// The maximum bytes of decoded pixels, in all frames together.
    public static let scaleDownLimitBytes = ContextKey(
        "scaleDownLimitBytes", default: 0, in: 0...Int.max, affects: [.pixels, .size],
        summary: "Decode to at most so many bytes of pixels in all frames, by making them smaller; 0 does not limit.")
}

extension ContextKey where Value == Bool {
    /// Whether highlights above white are kept.
    public static let highDynamicRange = ContextKey(
        "highDynamicRange", affects: .pixels,
        summary: "Keep highlights above white, as floating point in which 1 is white, and all bits of other pictures.")
    /// Whether a damaged or truncated picture is decoded in part.
    public static let allowPartial = ContextKey(
        "allowPartial", affects: .pixels,
        summary: "Decode a damaged or truncated picture in part, the rest transparent, and mark the image.")
    /// Whether an image keeps the metadata of its file.
    public static let keepsMetadata = ContextKey(
        "keepsMetadata", affects: [.pixels, .storedVariants], summary: "Keep the file's EXIF and XMP with the image.")
}

extension ContextSetting {
    /// Decodes to at most this number of bytes of pixels, in all decoded frames together, by scaling the picture down
    /// in its shape; never enlarging. Default: 0, which does not limit.
    ///
    /// A thumbnail that takes less stays as it is. A pixel takes 4 bytes, 8 if ``nativeDepth`` keeps more than 8 bits,
    /// and 16 if ``highDynamicRange`` keeps light beyond white; the padding of rows is not counted. The smallest
    /// picture is a single pixel.
    public static func scaleDownLimitBytes(_ count: Int) -> ContextSetting { .set(.scaleDownLimitBytes, to: count) }
    /// Keeps highlights above white in PQ and HLG pictures. Default: off; highlights are tone-mapped to white and less.
    ///
    /// The pixels of such a picture are of floating point. A sample is linear light: 1 is reference white (203 candelas
    /// per square meter), and highlights exceed it. Converted to sRGB, samples follow its curve, beyond 1 as well; with
    /// ``keepsProfile`` they stay linear, and the image's profile tells the primaries. Other pictures keep all their
    /// bits, as with ``nativeDepth``. No built-in format holds such pixels: variants are not stored on disk.
    public static var highDynamicRange: ContextSetting { .on(.highDynamicRange) }
    /// Decodes a damaged or truncated picture as far as possible, and leaves the rest transparent; the image is then
    /// ``Image/Attributes/isPartial``. Default: off; such a picture is an error.
    ///
    /// A picture without a single decoded row is an error all the same.
    public static var allowPartial: ContextSetting { .on(.allowPartial) }
    /// Keeps the file's EXIF and XMP with the image, as ``Image/Attributes/metadata``. Default: off.
    public static var keepsMetadata: ContextSetting { .on(.keepsMetadata) }
}

extension ContextDeclaration {
    /// The keys that select how pictures are decoded.
    static let decoding: [ContextDeclaration] = [
        ContextKey.scaleDownLimitBytes.declaration, ContextKey.highDynamicRange.declaration,
        ContextKey.keepsMetadata.declaration, ContextKey.allowPartial.declaration,
    ]
}
