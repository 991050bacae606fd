extension ImageError {
    /// Somebody asked for a frame that is not there, as decoders are by mistake or out of curiosity.
    /// - Parameters:
    ///   - index: The frame, counted from 0.
    ///   - count: How many there are.
    public static func noSuchFrame(_ index: Int, of count: Int) -> ImageError {
        ImageError(
            .noSuchFrame, stage: .decode, message: "there is no frame \(index), the image has \(count)",
            advice: "frames are counted from 0")
    }

    /// A frame could not be decoded: the same error with its number.
    /// - Parameters:
    ///   - index: Which frame.
    ///   - shown: The frame that was asked for, which builds upon it where it is another one.
    static func decoding(frame index: Int, of shown: Int, _ error: any Error) -> ImageError {
        var error = wrapping(error, as: .badData, stage: .decode, message: "could not be decoded")
        guard error.isDamage else { return error }
        let frame = index == shown ? "frame \(index)" : "frame \(index), upon which frame \(shown) builds"
        error.message = "\(frame): \(error.message)"
        return error
    }

    /// Whether it is about the bytes of a picture.
    var isDamage: Bool { code == .badData || code == .incomplete }
}
