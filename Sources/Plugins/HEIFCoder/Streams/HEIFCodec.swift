#if HEIF
import Calotype

/// A codec with which pictures are compressed.
enum HEIFCodec: Sendable, CaseIterable {
    case hevc
    case av1

    /// Creates the codec for an item type. Returns nil if items of the type are not streams of a supported codec.
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

    /// The brand of HEIF files whose pictures use this codec: `heic` or `avif`.
    var brand: FourCC {
        switch self {
        case .hevc: "heic"
        case .av1: "avif"
        }
    }

    /// The type of the property that contains the decoder configuration.
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
