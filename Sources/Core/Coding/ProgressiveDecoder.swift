/// A decoder that can show something before the last byte is there.
///
/// `info` is there as early as the format allows, often long before there is anything to show, and stays what it is.
/// `info` and `decode` throw an error of the code `incomplete` while there is too little to say or to show; more bytes
/// help. Any other error is for ever. The pipeline judges `info` by the request's limits before it first decodes: until
/// then, take no memory for pixels.
///
/// Of an animation the pipeline shows the frames so far by a decoder of its own. Then nothing is decoded here.
public protocol ProgressiveDecoder: ImageDecoder {
    /// Whether the file is known to be an animation. Default: false.
    var isAnimation: Bool { get }

    /// Takes the next bytes. `decode` then gives the picture as far as it is known: what is not, is transparent.
    /// - Parameters:
    ///   - bytes: The bytes that follow those taken before.
    ///   - isLast: Whether the file ends with them.
    func append(_ bytes: RawSpan, isLast: Bool) throws
}

extension ProgressiveDecoder {
    public var isAnimation: Bool { false }
}
