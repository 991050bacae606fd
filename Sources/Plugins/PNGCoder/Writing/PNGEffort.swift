#if PNG
import Calotype

/// The effort with which a PNG is compressed.
enum PNGEffort {
    /// A compression level from 0 (none) to 9 (smallest and slowest).
    case level(Int)
    /// As fast as possible, both to write and to read.
    case fastest

    /// Creates the effort that options ask for.
    init(_ options: EncodeOptions) {
        self = options.favorsSpeed ? .fastest : .level(min(max(options.context[.pngCompressionLevel], 0), 9))
    }

    var isFastest: Bool {
        if case .fastest = self { true } else { false }
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
