#if WEBP
import CWebP
import Calotype

extension ImageError {
    /// The error for a file that libwebp cannot parse.
    static var damagedWebP: ImageError {
        ImageError(
            .badData, stage: .decode, message: "is damaged: its chunks make no sense to libwebp",
            advice: "get it again from where it came")
    }

    /// Returns the error for a picture that libwebp cannot decode.
    static func damagedWebP(in place: String) -> ImageError {
        ImageError(
            .badData, stage: .decode, message: "is damaged in \(place)", advice: "get it again from where it came")
    }

    /// Returns the error for a file that ends too early.
    static func cutOffWebP(in place: String) -> ImageError {
        ImageError(
            .badData, stage: .decode, message: "ends in \(place)",
            advice: "it was cut off: get it again from where it came")
    }

    /// The error for a file of which too few bytes have arrived.
    static var incompleteWebP: ImageError {
        ImageError(.incomplete, stage: .decode, message: "too few bytes to show anything")
    }

    /// The error of a progressive decoder for an animation, of which it shows nothing.
    static var nothingEarlyInWebP: ImageError {
        ImageError(
            .incomplete, stage: .decode, message: "is an animation, of which pieces show nothing",
            advice: "decode what there is of the file as a whole")
    }

    /// Returns the error for an image that cannot be written.
    static func unwritableWebP(_ reason: String, advice: String) -> ImageError {
        ImageError(
            .encodeFailed, stage: .encode, message: "cannot be written as WebP: \(reason)", advice: advice)
    }

    /// Returns the error for a failed allocation in libwebp.
    static func noMemoryForWebP(_ stage: Stage) -> ImageError {
        ImageError(
            .outOfMemory, stage: stage, message: "no memory for libwebp",
            advice: "do less at once, or give the process more memory")
    }
}
#endif
