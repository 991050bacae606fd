extension ImageError {
    /// Returns the error for a frame that does not exist.
    /// - Parameters:
    ///   - index: The index of the frame, from 0.
    ///   - count: The number of frames.
    public static func noSuchFrame(_ index: Int, of count: Int) -> ImageError {
        ImageError(
            .noSuchFrame, stage: .decode, message: "frame \(index) does not exist: the frame count is \(count)",
            advice: "pass an index below the frame count; the first frame is 0")
    }

    /// Returns the error of a frame that could not be decoded, with the number of the frame.
    /// - Parameters:
    ///   - index: The index of the frame.
    ///   - shown: The frame that was asked for. If it is another one, it builds upon this frame.
    static func decoding(frame index: Int, of shown: Int, _ error: any Error) -> ImageError {
        var error = wrapping(error, as: .badData, stage: .decode, message: "could not be decoded")
        guard error.isDamage else { return error }
        let frame = index == shown ? "frame \(index)" : "frame \(index), upon which frame \(shown) builds"
        error.message = "\(frame): \(error.message)"
        return error
    }

    /// Whether the error is about the bytes of a picture.
    var isDamage: Bool { code == .badData || code == .incomplete }
}
