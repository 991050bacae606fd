#if HEIF
import Calotype

/// A codec of pictures.
enum HEIFCodec: Sendable, CaseIterable {
    case hevc
    case av1

    /// Creates the codec for an item type; nil if the type is not a supported stream.
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

    /// The brand of files with such pictures, which is also the name of the format.
    var brand: FourCC {
        switch self {
        case .hevc: "heic"
        case .av1: "avif"
        }
    }

    /// The type of the property with the decoder configuration.
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
