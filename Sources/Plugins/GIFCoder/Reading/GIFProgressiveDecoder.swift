#if GIF
import Calotype

/// A progressive decoder that reports every GIF as an animation. The pipeline then decodes previews with a separate
/// ``GIFDecoder`` from the bytes that have arrived.
///
/// This is needed because giflib cannot suspend decoding. In addition, whether a GIF is a still image is only known at
/// the end of the file.
final class GIFProgressiveDecoder: ProgressiveDecoder {
    var info: ImageInfo { get throws { throw ImageError.nothingEarlyInGIF } }

    var isAnimation: Bool { true }

    func append(_ bytes: RawSpan, isLast: Bool) {}

    func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
        throw ImageError.nothingEarlyInGIF
    }
}
#endif
