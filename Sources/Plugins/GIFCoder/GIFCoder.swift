#if GIF
public import Calotype

/// A coder for still and animated GIF, based on giflib.
///
/// Files of both versions are decoded as in web browsers. The canvas is transparent before the first frame, whatever
/// background color the file names. A canvas that is smaller than the first frame is enlarged to it. Parts of other
/// frames beyond the canvas are not visible. An index beyond the palette is opaque black.
///
/// The end of the file may be missing after a complete frame, and invalid bytes after one end the file. A file
/// truncated elsewhere causes an error. With `allowPartial` the complete frames, or the rows of the first frame, are
/// returned.
public struct GIFCoder: ImageCoder, TruthfulCoder {
    /// Creates a coder.
    public init() {}

    public let formats: [ImageFormat] = [.gif]

    public var acceptsUntrustedBytes: Bool { true }

    public var isPureComputation: Bool { true }

    public func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
        guard recognizes(bytes) else { return nil }
        return try GIFDecoder(bytes.data, options: options)
    }

    public func progressiveDecoder(
        for head: ImageBytes, options: DecodeOptions
    ) throws -> (any ProgressiveDecoder)? {
        recognizes(head) ? GIFProgressiveDecoder() : nil
    }

    public func encoder(for format: ImageFormat) -> (any ImageEncoder)? {
        format == .gif ? GIFEncoder() : nil
    }
}
#endif
