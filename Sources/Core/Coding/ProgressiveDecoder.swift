/// A decoder that can show something before the last byte is there.
public protocol ProgressiveDecoder: ImageDecoder {
    /// Takes the next bytes. `decode` then gives the picture as far as it is known.
    /// - Parameters:
    ///   - bytes: The bytes that follow those taken before.
    ///   - isLast: Whether the file ends with them.
    func append(_ bytes: RawSpan, isLast: Bool) throws
}
