#if PNG
public import Calotype

/// Reads and writes PNG, with libpng.
///
/// Every PNG of ISO/IEC 15948 (W3C PNG, third edition) is read: all colour types and depths, interlaced or not. Samples
/// are scaled and never interpreted: gAMA and cHRM chunks are ignored, as browsers do where a picture claims to be sRGB
/// or says nothing. An animated PNG is read as its default image.
///
/// Pixels count as complete when all their chunks are there with the right checksums. What follows them is not read, so
/// a missing end or anything behind it is no error.
public struct PNGCoder: ImageCoder {
    /// A coder.
    public init() {}

    public var formats: [ImageFormat] { [.png] }

    public func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
        guard recognizes(bytes) else { return nil }
        return try PNGDecoder(bytes.data, options: options)
    }

    public func encoder(for format: ImageFormat) -> (any ImageEncoder)? {
        format == .png ? PNGEncoder() : nil
    }
}
#endif
