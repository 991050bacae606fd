/// A decoder that can show a part of a picture before the last byte has arrived.
///
/// `info` is available as early as the format allows, often long before there is anything to show, and does not change.
/// While there are too few bytes, `info` and `decode` throw an error with the code `incomplete`, and can succeed once
/// more bytes have arrived. Any other error is final. The pipeline checks `info` against the request's limits before it
/// first calls `decode`. Do not allocate memory for pixels before that call.
///
/// An animation is not decoded with this decoder. Instead, the pipeline uses a separate decoder for the frames that
/// have arrived.
public protocol ProgressiveDecoder: ImageDecoder {
    /// Whether the file is known to be an animation. Default: false.
    var isAnimation: Bool { get }

    /// Takes the next bytes. Afterward, `decode` gives the picture as far as the bytes so far describe it; the rest is
    /// transparent.
    /// - Parameter isLast: Whether these are the last bytes of the file.
    func append(_ bytes: RawSpan, isLast: Bool) throws
}

extension ProgressiveDecoder {
    public var isAnimation: Bool { false }
}
