#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What a new pixel is made of: the pixels around its centre, weighed by their distance from it.
///
/// Distances are in pixels of whichever picture has the larger ones, so that every pixel counts where a picture gets
/// smaller; `nearest` alone leaves pixels out. Weights sum to one, also at the edges. A side that stays as long as it
/// is is not filtered.
public enum ResamplingFilter: String, Sendable, Hashable, CaseIterable {
    /// The one pixel under the new one's centre, its levels unchanged: for pixel art and for maps of values.
    case nearest
    /// The mean of all pixels whose centres the new one covers. Enlarging, the nearest.
    case box
    /// The weight falls evenly, down to nothing at a distance of one pixel.
    case bilinear
    /// The cubic of Mitchell and Netravali, B = C = 1/3, out to two pixels: hardly rings at edges, a little soft.
    case mitchell
    /// The cubic of Catmull and Rom, B = 0 and C = 1/2, out to two pixels: sharper, rings a little.
    case catmullRom
    /// The sinc windowed by Lanczos, out to three pixels: the sharpest, rings most. The default.
    case lanczos3
}

extension ResamplingFilter {
    /// From which distance on, in pixels, nothing has weight.
    var support: Double {
        switch self {
        case .nearest, .box: 0.5
        case .bilinear: 1
        case .mitchell, .catmullRom: 2
        case .lanczos3: 3
        }
    }

    /// The weight at a distance in pixels, before weights are made to sum to one. For `nearest` and `box` the distance
    /// is taken to be within the support.
    func weight(at distance: Double) -> Double {
        let x = abs(distance)
        switch self {
        case .nearest, .box: return 1
        case .bilinear: return max(0, 1 - x)
        case .mitchell: return Self.cubic(x, b: 1.0 / 3, c: 1.0 / 3)
        case .catmullRom: return Self.cubic(x, b: 0, c: 0.5)
        case .lanczos3: return Self.lanczos3(x)
        }
    }

    /// Source: D. P. Mitchell and A. N. Netravali, Reconstruction Filters in Computer Graphics, 1988.
    private static func cubic(_ x: Double, b: Double, c: Double) -> Double {
        if x < 1 { return (((12 - 9 * b - 6 * c) * x - 18 + 12 * b + 6 * c) * x * x + 6 - 2 * b) / 6 }
        if x < 2 { return (((-b - 6 * c) * x + 6 * b + 30 * c) * x * x - (12 * b + 48 * c) * x + 8 * b + 24 * c) / 6 }
        return 0
    }

    /// Source: C. E. Duchon, Lanczos Filtering in One and Two Dimensions, 1979.
    private static func lanczos3(_ x: Double) -> Double {
        guard x < 3 else { return 0 }
        guard x > 1e-12 else { return 1 }
        // 3 sin(3b) sin(b) / (3b)², where sin(3b) = (3 - 4 sin²(b)) sin(b): one sine instead of two.
        let third = Double.pi * x / 3
        let sine = sin(third)
        let square = sine * sine
        return square * (3 - 4 * square) / (3 * third * third)
    }
}

extension ResamplingFilter: ContextValue {
    public var contextText: String { rawValue }
    public static var contextSyntax: String { allCases.map(\.rawValue).joined(separator: ", ") }
    public init?(contextText: String) { self.init(rawValue: contextText) }
}
