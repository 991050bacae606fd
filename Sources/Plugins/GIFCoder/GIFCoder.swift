#if GIF
public import Calotype

/// Reads and writes GIF, still and animated, with giflib.
///
/// Files of both versions are read as browsers show them. The canvas is transparent before the first frame, whatever
/// background color the file names. A canvas that is smaller than the first frame takes its extent. What other frames
/// have beyond the canvas is not seen. An index beyond the palette is opaque black.
///
/// The end of the file may be missing behind a whole frame, and what makes no sense there ends it. A file that is cut
/// off elsewhere is an error, or, where a part is allowed, the frames that are there as a whole, or the rows of the
/// first.
public struct GIFCoder: ImageCoder, TruthfulCoder {
    /// A coder.
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
