extension ImageError {
    /// Returns the error of a decoder that has misused its sink.
    static func sinkMisuse(_ message: String) -> ImageError {
        ImageError(
            .badData, stage: .decode, message: "the coder misused its row sink: \(message)",
            advice: "report it to the coder's author")
    }

    /// Returns the error of a decoder that stopped before the last row.
    /// - Parameter whole: The part that the rows belong to, in words; nil for the picture.
    static func rowsMissing(_ taken: Int, of count: Int, in whole: String? = nil) -> ImageError {
        let place = whole.map { " of \($0)" } ?? ""
        return ImageError(
            .badData, stage: .decode, message: "the decoder returned only \(taken) of \(count) rows\(place)",
            advice: "report it to the coder's author")
    }
}
