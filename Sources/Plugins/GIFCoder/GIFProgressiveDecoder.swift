#if GIF
import Calotype

/// Leaves it to others to show a GIF while its bytes come: giflib cannot wait for more, and no file says before its end
/// that it is a still.
final class GIFProgressiveDecoder: ProgressiveDecoder {
    var info: ImageInfo { get throws { throw ImageError.nothingEarlyInGIF } }

    var isAnimation: Bool { true }

    func append(_ bytes: RawSpan, isLast: Bool) {}

    func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
        throw ImageError.nothingEarlyInGIF
    }
}
#endif
