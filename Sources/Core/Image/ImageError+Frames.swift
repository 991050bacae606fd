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

    /// Returns the error for a frame that could not be decoded. The message contains the index of the frame if the file
    /// is damaged.
    /// - Parameters:
    ///   - index: The index of the frame that could not be decoded.
    ///   - shown: The index of the requested frame, which is frame `index` itself or a frame that is drawn upon it.
    static func decoding(frame index: Int, of shown: Int, _ error: any Error) -> ImageError {
        var error = wrapping(
            error, as: .badData, stage: .decode, message: "could not be decoded", advice: decodeAdvice)
        guard error.isDamage else { return error }
        let frame = index == shown ? "frame \(index)" : "frame \(index), upon which frame \(shown) builds"
        error.message = "\(frame): \(error.message)"
        return error
    }

    /// The advice for a coder's error that is not an ``ImageError``. The reason for such an error is unknown.
    static var decodeAdvice: String {
        "get an intact copy of the file, or report the error to the coder's author"
    }

    /// Whether the error means that the bytes of a picture are damaged or incomplete.
    var isDamage: Bool { code == .badData || code == .incomplete }
}
