#if COLOR
import Calotype

extension ImageError {
    /// Returns the error for a profile that cannot be used. `message` continues the words "the embedded color profile".
    static func unusableProfile(
        _ message: String, advice: String = "embed a profile that matches the picture for exact colors"
    ) -> ImageError {
        ImageError(
            .badData, stage: .decode, message: "the embedded color profile \(message)",
            advice: "the picture is treated as sRGB; \(advice)")
    }
}
#endif
