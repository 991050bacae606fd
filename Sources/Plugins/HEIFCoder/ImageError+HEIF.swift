#if HEIF
import CHEIF
import Calotype

extension ImageError {
    /// Returns the error for an invalid file. `what` describes the fault.
    static func damagedHEIF(_ what: String) -> ImageError {
        ImageError(
            .badData, stage: .decode, message: "is damaged: \(what)", advice: "get an intact copy of the file")
    }

    /// Returns the error for a file that ends too early. `place` describes the part in which it ends.
    static func cutOffHEIF(in place: String) -> ImageError {
        ImageError(
            .badData, stage: .decode, message: "is truncated: it ends in \(place)",
            advice: "get a complete copy of the file")
    }

    /// Returns the error for a file that may be valid but is not supported. `what` describes the unsupported feature.
    static func unreadableHEIF(_ what: String) -> ImageError {
        ImageError(
            .badData, stage: .decode, message: "is an unsupported kind of HEIF file: \(what)",
            advice: "convert it to another format")
    }

    /// Returns the error for a failed decode in libheif.
    static func readingHEIF(_ error: heif_error) -> ImageError {
        guard error.code != heif_error_Memory_allocation_error else { return .noMemoryForHEIF(.decode) }
        let text = Self.text(of: error)
        if error.code == heif_error_Unsupported_feature {
            return ImageError(
                .badData, stage: .decode, message: "cannot be decoded by this libheif, which says '\(text)'",
                advice: "install a libheif decoder for its codec, or convert it to another format")
        }
        return .damagedHEIF("libheif says '\(text)'")
    }

    /// Returns the error for a failed encode in libheif.
    static func writingHEIF(_ error: heif_error) -> ImageError {
        guard error.code != heif_error_Memory_allocation_error else { return .noMemoryForHEIF(.encode) }
        return ImageError(
            .encodeFailed, stage: .encode,
            message: "cannot be written by this libheif, which says '\(text(of: error))'",
            advice: "change the options of the format, or write another format")
    }

    /// Returns the error for a failed allocation in libheif.
    static func noMemoryForHEIF(_ stage: Stage) -> ImageError {
        ImageError(
            .outOfMemory, stage: stage, message: "not enough memory for libheif",
            advice: "process fewer images at once, or raise the process's memory limit")
    }

    private static func text(of error: heif_error) -> String {
        error.message.map { String(cString: $0) } ?? "error \(error.code.rawValue)"
    }
}
#endif
