#if COLOR
import Calotype

extension ImageError {
    /// The error for a profile that cannot be used.
    /// - Parameter message: What is wrong with it, as the rest of a sentence.
    static func unusableProfile(_ message: String) -> ImageError {
        ImageError(
            .badData, stage: .decode, message: "the embedded colour profile \(message)",
            advice: "the picture is taken for one without; embed a profile that fits it to have its colours right")
    }
}
#endif
