#if GIF
import CGIF
import Calotype

extension ImageError {
    /// Returns the error for an invalid file.
    static func damagedGIF(_ what: String) -> ImageError {
        ImageError(
            .badData, stage: .decode, message: "is damaged: \(what)", advice: "get an intact copy of the file")
    }

    /// The error for a file without a frame.
    static var emptyGIF: ImageError { damagedGIF("it has no frame") }

    /// Returns the error for a file that ends too early.
    static func cutOffGIF(in place: String) -> ImageError {
        ImageError(
            .badData, stage: .decode, message: "is truncated: it ends in \(place)",
            advice: "get a complete copy of the file")
    }

    /// Returns the error for a code from giflib's reader.
    static func readingGIF(_ code: Int32, in place: String) -> ImageError {
        if code == D_GIF_ERR_NOT_ENOUGH_MEM {
            return ImageError(
                .outOfMemory, stage: .decode, message: "not enough memory for giflib in \(place)",
                advice: "load fewer images at once, or raise the process's memory limit")
        }
        guard code != D_GIF_ERR_EOF_TOO_SOON else { return .cutOffGIF(in: place) }
        let text = GifErrorString(code).map { String(cString: $0) } ?? "nothing"
        return ImageError(
            .badData, stage: .decode, message: "is damaged in \(place); giflib says '\(text)'",
            advice: "get an intact copy of the file")
    }

    /// Returns the error for a code from giflib's writer.
    static func writingGIF(_ code: Int32) -> ImageError {
        if code == E_GIF_ERR_NOT_ENOUGH_MEM {
            return ImageError(
                .outOfMemory, stage: .encode, message: "not enough memory for giflib",
                advice: "encode fewer images at once, or raise the process's memory limit")
        }
        let text = GifErrorString(code).map { String(cString: $0) } ?? "nothing"
        return ImageError(
            .encodeFailed, stage: .encode, message: "cannot be written as GIF; giflib says '\(text)'",
            advice: "write another format")
    }

    /// The error that the progressive decoder throws, because giflib cannot decode a GIF progressively.
    static var nothingEarlyInGIF: ImageError {
        ImageError(
            .incomplete, stage: .decode, message: "is a GIF, which cannot be decoded progressively",
            advice: "decode the available bytes with `allowPartial` instead")
    }
}
#endif
