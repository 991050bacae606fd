#if JPEG
public import Calotype

/// The number of pixels that share a chroma sample in a written JPEG. Each pixel has its own luma sample.
public enum JPEGSubsampling: String, Sendable, Hashable, CaseIterable {
    /// 4:4:4: each pixel has its own chroma sample.
    case full = "4:4:4"
    /// 4:2:2: two horizontal neighbors share a sample.
    case halfWidth = "4:2:2"
    /// 4:4:0: two vertical neighbors share a sample.
    case halfHeight = "4:4:0"
    /// 4:2:0: a square of four pixels shares a sample.
    case quarter = "4:2:0"

    /// The number of pixels of a row that share a sample.
    var horizontalFactor: Int { self == .halfWidth || self == .quarter ? 2 : 1 }
    /// The number of rows that share a sample.
    var verticalFactor: Int { self == .halfHeight || self == .quarter ? 2 : 1 }
}

extension JPEGSubsampling: ContextValue {
    public var contextText: String { rawValue }
    public static var contextSyntax: String { allCases.map(\.rawValue).joined(separator: ", ") }
    public init?(contextText: String) { self.init(rawValue: contextText) }
}
#endif
