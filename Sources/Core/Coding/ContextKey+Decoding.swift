extension ContextKey where Value == Int {
    /// The maximum size of the decoded pixels of all frames together, in bytes. Default: 0, no limit.
    public static let scaleDownLimitBytes = ContextKey(
        "scaleDownLimitBytes", default: 0, in: 0...Int.max, affects: [.pixels, .size],
        summary: "Decode to at most so many bytes of pixels in all frames, by making them smaller; 0 does not limit.")
}

extension ContextKey where Value == Bool {
    /// Whether highlights above white are kept. Default: false; they are tone-mapped.
    public static let highDynamicRange = ContextKey(
        "highDynamicRange", affects: .pixels,
        summary: "Keep highlights above white, as floating point in which 1 is white, and all bits of other pictures.")
    /// Whether a damaged or truncated picture is decoded in part. Default: false; it is an error.
    public static let allowPartial = ContextKey(
        "allowPartial", affects: .pixels,
        summary: "Decode a damaged or truncated picture in part, the rest transparent, and mark the image.")
    /// Whether an image keeps the EXIF and XMP metadata of its file. Default: false.
    public static let keepsMetadata = ContextKey(
        "keepsMetadata", affects: [.pixels, .storedVariants], summary: "Keep the file's EXIF and XMP with the image.")
}

extension ContextSetting {
    /// Scales a picture down so that the pixels of all decoded frames together take at most this number of bytes.
    /// Default: 0, no limit.
    ///
    /// The picture keeps its shape, and is never enlarged. A thumbnail within the limit is not scaled down further. A
    /// pixel takes 4 bytes; 8 if ``nativeDepth`` keeps more than 8 bits, and 16 if ``highDynamicRange`` keeps
    /// highlights above white. The padding of rows is not counted. The smallest picture is a single pixel.
    public static func scaleDownLimitBytes(_ count: Int) -> ContextSetting { .set(.scaleDownLimitBytes, to: count) }
    /// Keeps highlights above white in PQ and HLG pictures. Default: off; highlights are tone-mapped into the range up
    /// to white.
    ///
    /// The pixels of such a picture are floating point, in which 1 is reference white (203 candelas per square meter),
    /// and highlights exceed 1. If colors are converted to sRGB, samples follow the curve of sRGB, which is extended
    /// beyond 1. With ``keepsProfile``, samples are linear light, and the image's profile states the primaries. Other
    /// pictures keep all their bits, as with ``nativeDepth``.
    ///
    /// No built-in format can store floating-point pixels, so variants with such pixels are not stored on disk.
    public static var highDynamicRange: ContextSetting { .on(.highDynamicRange) }
    /// Decodes a damaged or truncated picture as far as possible, and leaves the rest transparent. Default: off; such a
    /// picture is an error.
    ///
    /// The image is then marked as ``Image/Attributes/isPartial``. A picture of which not a single row can be decoded
    /// is an error even if the setting is on.
    public static var allowPartial: ContextSetting { .on(.allowPartial) }
    /// Keeps the file's EXIF and XMP with the image, as ``Image/Attributes/metadata``. Default: off.
    public static var keepsMetadata: ContextSetting { .on(.keepsMetadata) }
}

extension ContextDeclaration {
    /// The declarations of the context keys for partial decoding, highlights, metadata and memory.
    static let decoding: [ContextDeclaration] = [
        ContextKey.scaleDownLimitBytes.declaration, ContextKey.highDynamicRange.declaration,
        ContextKey.keepsMetadata.declaration, ContextKey.allowPartial.declaration,
    ]
}
