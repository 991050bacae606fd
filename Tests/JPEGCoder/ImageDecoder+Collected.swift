#if JPEG
import Calotype

extension ImageDecoder {
    /// The only frame, as the decoder gives it.
    func collected(job: Job = Job()) throws -> PixelBuffer {
        var sink = CollectingRowSink()
        try decode(frame: 0, into: &sink, job: job)
        return try sink.finish()
    }
}

extension ProgressiveDecoder {
    /// The only frame, as far as it is known; nil while nothing can be shown.
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
