#if PNG
import CPNGShim
import Calotype

extension ImageError {
    /// Returns the error for a failure status of the shim's readers.
    /// - Parameters:
    ///   - status: The status, which is not `CPNG_OK`.
    ///   - message: The message of libpng.
    ///   - damage: The damage in the bytes that was found outside libpng; nil for none.
    ///   - place: The position in the file as text.
    static func decoding(
        _ status: cpng_status, message: UnsafePointer<CChar>?, damage: String? = nil, in place: String
    ) -> ImageError {
        if status == CPNG_OUT_OF_MEMORY {
            return ImageError(
                .outOfMemory, stage: .decode, message: "no memory left for libpng in \(place)",
                advice: "do less at once, or lower the limit `maxSidePixels`")
        }
        guard status == CPNG_ENDED else {
            let text = message.map { String(cString: $0) } ?? ""
            return ImageError(
                .badData, stage: .decode, message: "is damaged in \(place); libpng says '\(text)'",
                advice: "get it again from where it came")
        }
        if let damage {
            return ImageError(
                .badData, stage: .decode, message: "is damaged in \(place): \(damage)",
                advice: "get it again from where it came")
        }
        // libpng reads ahead, so the bytes may end a few rows further down.
        return ImageError(
            .badData, stage: .decode, message: "ends in \(place)",
            advice: "it was cut off: get it again from where it came")
    }

    /// The error for a file of which too few bytes have arrived.
    static var incompletePNG: ImageError {
        ImageError(.incomplete, stage: .decode, message: "too few bytes to show anything")
    }

    /// The error for an animation that cannot be shown before it is complete.
    static var nothingEarlyInPNG: ImageError {
        ImageError(
            .incomplete, stage: .decode, message: "has no frame that can be shown before all of it has come",
            advice: "decode the whole file: its first frame is not the default image")
    }

    /// The error for a file with too many chunks.
    static var tooManyChunks: ImageError {
        ImageError(
            .badData, stage: .decode, message: "has more than \(PNGChunkBudget.mostSmallChunks) small chunks",
            advice: "have it written anew: no picture needs them")
    }

    /// Returns the error for EXIF and XMP that exceed the limit.
    static func tooMuchMetadata(_ maxByteCount: Int) -> ImageError {
        .beyondLimit(moreThan: maxByteCount, "bytes of metadata", key: "maxMetadataBytes")
    }

    /// Returns the error for a failed initialization of libpng.
    static func noMemoryForPNG(_ stage: Stage) -> ImageError {
        ImageError(
            .outOfMemory, stage: stage, message: "no memory for libpng",
            advice: "do less at once, or give the process more memory")
    }
}
#endif
