#if JPEG
import Calotype

extension ImageDecoder {
    /// Returns the only frame, as delivered in rows; CMYK as RGB, without a profile.
    func collected(job: Job = Job()) throws -> PixelBuffer {
        var sink = CollectingRowSink()
        try decode(frame: 0, into: &sink, job: job)
        let isInk = sink.channels == .cmyk
        let pixels = try sink.finish()
        return isInk ? try pixels.printed() : pixels
    }

    /// Returns the only frame in planes, if the decoder supports them.
    func planar(job: Job = Job()) throws -> PlanarRowSink {
        var sink = PlanarRowSink()
        try decode(frame: 0, into: &sink, job: job)
        return sink
    }
}

extension ProgressiveDecoder {
    /// Returns the only frame so far; nil while nothing can be shown.
    func shown() throws -> PixelBuffer? {
        try unlessIncomplete { try collected() }
    }

    /// Returns the only frame in planes so far; nil while nothing can be shown.
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

    /// Appends the next bytes.
    func append(_ bytes: Data, isLast: Bool) throws {
        try append(bytes.bytes, isLast: isLast)
    }
}
#endif
