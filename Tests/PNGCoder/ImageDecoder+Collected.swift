#if PNG
import Calotype
import Foundation

extension ImageDecoder {
    /// A frame as the decoder gives it.
    func collected(_ frame: Int = 0, job: Job = Job()) throws -> PixelBuffer {
        var sink = CollectingRowSink()
        try decode(frame: frame, into: &sink, job: job)
        return try sink.finish()
    }

    /// A frame as far as the decoder gives it, nil when it did not begin, and why it is no more.
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
    /// The picture as far as it is known; nil while nothing can be shown.
    func shown() throws -> PixelBuffer? {
        do {
            return try collected()
        } catch let error as ImageError where error.code == .incomplete {
            return nil
        }
    }

    /// Takes the next bytes.
    func append(_ bytes: Data, isLast: Bool) throws {
        try append(bytes.bytes, isLast: isLast)
    }
}
#endif
