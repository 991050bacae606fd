#if COLOR
import Calotype

extension ImageError {
    /// Returns the error for a profile that cannot be used.
    /// - Parameters:
    ///   - message: The fault, as the rest of a sentence that begins with "the embedded color profile".
    ///   - advice: The remedy. It is appended to a statement that the picture is treated as sRGB.
    static func unusableProfile(
        _ message: String, advice: String = "embed a profile that matches the picture for exact colors"
    ) -> ImageError {
        ImageError(
            .badData, stage: .decode, message: "the embedded color profile \(message)",
            advice: "the picture is treated as sRGB; \(advice)")
    }
}
#endif
