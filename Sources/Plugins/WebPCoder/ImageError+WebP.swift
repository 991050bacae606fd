#if WEBP
import CWebP
import Calotype

extension ImageError {
    /// The error for a file whose chunks libwebp cannot parse.
    static var damagedWebP: ImageError {
        ImageError(
            .badData, stage: .decode, message: "is damaged: libwebp cannot parse its chunks",
            advice: "get an intact copy of the file")
    }

    /// Returns the error for a picture that is damaged at a position such as "row 3 of 10".
    static func damagedWebP(in place: String) -> ImageError {
        ImageError(
            .badData, stage: .decode, message: "is damaged in \(place)", advice: "get an intact copy of the file")
    }

    /// Returns the error for a file that is truncated at a position such as "the header".
    static func cutOffWebP(in place: String) -> ImageError {
        ImageError(
            .badData, stage: .decode, message: "is truncated: it ends in \(place)",
            advice: "get a complete copy of the file")
    }

    /// The error if too few bytes of a file have arrived to show a picture.
    static var incompleteWebP: ImageError {
        ImageError(
            .incomplete, stage: .decode, message: "has too few bytes to show a picture",
            advice: "decode again when more bytes have arrived")
    }

    /// The error that a progressive decoder throws for an animation, because it decodes only still images.
    static var nothingEarlyInWebP: ImageError {
        ImageError(
            .incomplete, stage: .decode, message: "is an animation, which cannot be decoded progressively",
            advice: "decode the available bytes with `allowPartial` instead")
    }

    /// Returns the error for an image that cannot be written, with the reason and with advice for the user.
    static func unwritableWebP(_ reason: String, advice: String) -> ImageError {
        ImageError(
            .encodeFailed, stage: .encode, message: "cannot be written as WebP: \(reason)", advice: advice)
    }

    /// Returns the error for a failed allocation in libwebp.
    static func noMemoryForWebP(_ stage: Stage) -> ImageError {
        ImageError(
            .outOfMemory, stage: stage, message: "not enough memory for libwebp",
            advice: "process fewer images at once, or raise the process's memory limit")
    }
}
#endif
