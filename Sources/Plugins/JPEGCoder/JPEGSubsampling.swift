#if JPEG
public import Calotype

/// The chroma resolution of a written JPEG: the number of pixels that share a chroma sample. Each pixel has its own
/// luma sample.
public enum JPEGSubsampling: String, Sendable, Hashable, CaseIterable {
    /// 4:4:4: each pixel has its own chroma sample.
    case full = "4:4:4"
    /// 4:2:2: two horizontal neighbors share a chroma sample.
    case halfWidth = "4:2:2"
    /// 4:4:0: two vertical neighbors share a chroma sample.
    case halfHeight = "4:4:0"
    /// 4:2:0: a square of four pixels shares a chroma sample.
    case quarter = "4:2:0"

    /// The number of neighboring pixels in a row that share a chroma sample: 1 or 2.
    var horizontalFactor: Int { self == .halfWidth || self == .quarter ? 2 : 1 }
    /// The number of neighboring pixels in a column that share a chroma sample: 1 or 2.
    var verticalFactor: Int { self == .halfHeight || self == .quarter ? 2 : 1 }
}

extension JPEGSubsampling: ContextValue {}
#endif
