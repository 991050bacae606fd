#if HEIF
import Calotype

/// A codec of samples.
enum HEIFCodec: Sendable, CaseIterable {
    case hevc
    case av1

    /// The codec of items of a type; nil for those that are no streams which are read here.
    init?(itemType: FourCC) {
        switch itemType {
        case "hvc1", "hev1": self = .hevc
        case "av01": self = .av1
        default: return nil
        }
    }

    var itemType: FourCC {
        switch self {
        case .hevc: "hvc1"
        case .av1: "av01"
        }
    }

    /// The brand of files with pictures of it, which is the name of the format too.
    var brand: FourCC {
        switch self {
        case .hevc: "heic"
        case .av1: "avif"
        }
    }

    /// The name of the property that tells what a decoder needs.
    var configurationType: FourCC {
        switch self {
        case .hevc: "hvcC"
        case .av1: "av1C"
        }
    }

    var format: ImageFormat {
        switch self {
        case .hevc: .heic
        case .av1: .avif
        }
    }
}
#endif
