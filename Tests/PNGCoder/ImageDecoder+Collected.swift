#if PNG
import Calotype
import Foundation

extension ImageDecoder {
    /// Returns a frame as delivered by the decoder.
    func collected(_ frame: Int = 0, job: Job = Job()) throws -> PixelBuffer {
        var sink = CollectingRowSink()
        try decode(frame: frame, into: &sink, job: job)
        return try sink.finish()
    }

    /// Returns the delivered part of a frame, nil if it did not begin, and the error that ended it.
    func collectedPart(_ frame: Int = 0) -> (pixels: PixelBuffer?, rowCount: Int, failure: (any Error)?) {
        var sink = CollectingRowSink()
        var failure: (any Error)?
        do {
            try decode(frame: frame, into: &sink, job: Job())
        } catch {
            failure = error
        }
        let rowCount = sink.rowCount
        return (try? sink.finish(), rowCount, failure)
    }
}

extension ProgressiveDecoder {
    /// Returns the picture so far; nil while nothing can be shown.
    func shown() throws -> PixelBuffer? {
        do {
            return try collected()
        } catch let error as ImageError where error.code == .incomplete {
            return nil
        }
    }

    /// Appends the next bytes.
    func append(_ bytes: Data, isLast: Bool) throws {
        try append(bytes.bytes, isLast: isLast)
    }
}
#endif
