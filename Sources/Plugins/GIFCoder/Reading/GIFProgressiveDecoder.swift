#if GIF
import Calotype

/// Reports every GIF as an animation, so that the pipeline makes previews of the bytes so far: giflib cannot suspend,
/// and no file says before its end that it is a still.
final class GIFProgressiveDecoder: ProgressiveDecoder {
    var info: ImageInfo { get throws { throw ImageError.nothingEarlyInGIF } }

    var isAnimation: Bool { true }

    func append(_ bytes: RawSpan, isLast: Bool) {}

    func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
        throw ImageError.nothingEarlyInGIF
    }
}
#endif
