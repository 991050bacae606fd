#if JPEG
import Calotype

extension ImageDecoder {
    /// The only frame, as the decoder gives it in rows; inks as colors, without a profile.
    func collected(job: Job = Job()) throws -> PixelBuffer {
        var sink = CollectingRowSink()
        try decode(frame: 0, into: &sink, job: job)
        let isInk = sink.channels == .cmyk
        let pixels = try sink.finish()
        return isInk ? try pixels.printed() : pixels
    }

    /// The only frame in planes, where the decoder has them.
    func planar(job: Job = Job()) throws -> PlanarRowSink {
        var sink = PlanarRowSink()
        try decode(frame: 0, into: &sink, job: job)
        return sink
    }
}

extension ProgressiveDecoder {
    /// The only frame, as far as it is known; nil while nothing can be shown.
    func shown() throws -> PixelBuffer? {
        try unlessIncomplete { try collected() }
    }

    /// The only frame in planes, as far as it is known; nil while nothing can be shown.
    func shownPlanar() throws -> PlanarRowSink? {
        try unlessIncomplete { try planar() }
    }

    private func unlessIncomplete<Result>(_ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
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
