#if GIF
import Calotype

/// A progressive decoder that decodes nothing, because giflib cannot suspend decoding. It reports every GIF as an
/// animation, so that the pipeline decodes previews with a separate ``GIFDecoder``.
final class GIFProgressiveDecoder: ProgressiveDecoder {
    var info: ImageInfo { get throws { throw ImageError.nothingEarlyInGIF } }

    var isAnimation: Bool { true }

    func append(_ bytes: RawSpan, isLast: Bool) {}

    func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
        throw ImageError.nothingEarlyInGIF
    }
}
#endif
