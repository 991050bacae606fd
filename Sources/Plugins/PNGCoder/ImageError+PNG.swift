#if PNG
import CPNGShim
import Calotype

extension ImageError {
    /// Returns the error for a failure status of the C readers in `CPNGShim`.
    /// - Parameters:
    ///   - damage: The damage that was found before the bytes reached libpng; nil if there is none.
    ///   - place: The position in the file, such as "row 3 of 10".
    static func decoding(
        _ status: cpng_status, message: UnsafePointer<CChar>?, damage: String? = nil, in place: String
    ) -> ImageError {
        if status == CPNG_OUT_OF_MEMORY {
            return ImageError(
                .outOfMemory, stage: .decode, message: "not enough memory for libpng in \(place)",
                advice: "load fewer images at once, or raise the process's memory limit")
        }
        guard status == CPNG_ENDED else {
            let text = message.map { String(cString: $0) } ?? ""
            return ImageError(
                .badData, stage: .decode, message: "is damaged in \(place); libpng says '\(text)'",
                advice: "get an intact copy of the file")
        }
        if let damage {
            return ImageError(
                .badData, stage: .decode, message: "is damaged in \(place): \(damage)",
                advice: "get an intact copy of the file")
        }
        // libpng reads ahead, so the bytes may actually end a few rows further down.
        return ImageError(
            .badData, stage: .decode, message: "is truncated: it ends in \(place)",
            advice: "get a complete copy of the file")
    }

    /// The error for a file of which too few bytes have arrived to show a picture.
    static var incompletePNG: ImageError {
        ImageError(
            .incomplete, stage: .decode, message: "has too few bytes to show a picture",
            advice: "decode again when more bytes have arrived")
    }

    /// The error for progressive decoding of an animation whose default image is not a frame. Such an animation can be
    /// shown only after the whole file has arrived.
    static var nothingEarlyInPNG: ImageError {
        ImageError(
            .incomplete, stage: .decode, message: "has no frame that can be shown before the file is complete",
            advice: "decode the complete file: its first frame is not the default image")
    }

    /// The error for a file with more small chunks than ``PNGChunkBudget`` permits.
    static var tooManyChunks: ImageError {
        ImageError(
            .badData, stage: .decode, message: "has more than \(PNGChunkBudget.mostSmallChunks) small chunks",
            advice: "write the file again: an image does not need so many")
    }

    /// Returns the error for EXIF and XMP that together have more than `maxByteCount` bytes.
    static func tooMuchMetadata(_ maxByteCount: Int) -> ImageError {
        .beyondLimit(moreThan: maxByteCount, "bytes of metadata", key: "maxMetadataBytes")
    }

    /// Returns the error for a lack of memory when a reader or writer of libpng is created.
    static func noMemoryForPNG(_ stage: Stage) -> ImageError {
        ImageError(
            .outOfMemory, stage: stage, message: "not enough memory for libpng",
            advice: "process fewer images at once, or raise the process's memory limit")
    }
}
#endif
