#if GIF
public import Calotype

/// A coder for still and animated GIF, based on giflib.
///
/// Files of both versions of the format, 87a and 89a, are decoded as in web browsers. The canvas is transparent before
/// the first frame, whatever background color the file names. A canvas that is smaller than the first frame is enlarged
/// to contain that frame. Parts of frames beyond the canvas are not visible. A pixel whose index is beyond the palette
/// is opaque black.
///
/// A file may end after any complete frame, without GIF's end marker, and invalid bytes after a complete frame count as
/// the end. A file that is truncated elsewhere, or that contains a frame without pixels, causes an error. With
/// `allowPartial`, the complete frames of such a file are returned instead. If even the first frame is truncated, the
/// complete rows of that frame are returned.
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
