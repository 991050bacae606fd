#if PNG
public import Calotype

/// Reads and writes PNG, with libpng.
///
/// Every PNG of ISO/IEC 15948 (W3C PNG, third edition) is read: all colour types and depths, interlaced or not. Samples
/// are scaled to 8 or 16 bits and not interpreted: gAMA and cHRM chunks do not count. An index beyond the palette is
/// opaque black, as the specification requires, and a damaged profile is taken for sRGB. Of an animated PNG the default
/// image is read.
///
/// Pixels count as complete when the chunks that hold them are there with the right checksums. What follows is not
/// read, so a missing end, or anything behind it, is no error.
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
