#if PNG
import Calotype

/// The effort with which a PNG is compressed.
enum PNGEffort {
    /// A compression level from 0 (none) to 9 (smallest and slowest). Pictures for which the next level is much better
    /// are compressed at that level, and so are small pictures.
    case level(Int)
    /// As fast as possible, both to write and to read.
    case fastest

    /// The effort that options ask for.
    init(_ options: EncodeOptions) {
        self = options.favorsSpeed ? .fastest : .level(min(max(options.context[.pngCompressionLevel], 0), 9))
    }

    /// The compression level of zlib.
    var level: Int {
        switch self {
        case .level(let level): level
        case .fastest: 1
        }
    }
}
#endif
