#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A filter that weights the source pixels around the center of each new pixel by their distance from the center.
///
/// Along a side that gets longer, distances are measured in source pixels. Along a side that gets shorter, they are
/// measured in new pixels, which are larger than source pixels there, so every source pixel counts. Only `nearest`
/// leaves pixels out. The weights for each new pixel sum to one, also at the edges of the picture. A side that keeps
/// its length is not filtered, unless the part to resample begins between two pixels.
public enum ResamplingFilter: String, Sendable, Hashable, CaseIterable {
    /// The source pixel under the center of the new pixel, with unchanged levels. Suits pixel art and maps of values.
    case nearest
    /// The mean of all source pixels whose centers the new pixel covers. When enlarging, the nearest source pixel.
    case box
    /// A weight that falls linearly, to zero at a distance of one pixel.
    case bilinear
    /// The cubic filter of Mitchell and Netravali (B = C = 1/3), out to a distance of two pixels. It hardly rings at
    /// edges, but is a little soft.
    case mitchell
    /// The cubic filter of Catmull and Rom (B = 0, C = 1/2), out to a distance of two pixels. It is sharper than
    /// `mitchell`, but rings a little.
    case catmullRom
    /// The sinc filter with the window of Lanczos, out to a distance of three pixels. It is the sharpest filter, but
    /// rings most. The default.
    case lanczos3
}

extension ResamplingFilter {
    /// The distance, in pixels, beyond which weights are zero.
    var support: Double {
        switch self {
        case .nearest, .box: 0.5
        case .bilinear: 1
        case .mitchell, .catmullRom: 2
        case .lanczos3: 3
        }
    }

    /// Appends the weights at `count` distances from the center, in pixels: `first`, `first + step` and so on.
    ///
    /// The sum of the weights need not be one. For `nearest` and `box`, all distances must be within the support.
    func appendWeights(from first: Double, step: Double, count: Int, to weights: inout [Double]) {
        switch self {
        case .nearest, .box: append(count, to: &weights) { _ in 1 }
        case .bilinear: append(count, to: &weights) { max(0, 1 - abs(first + Double($0) * step)) }
        case .mitchell:
            append(count, to: &weights) { Self.cubic(abs(first + Double($0) * step), b: 1.0 / 3, c: 1.0 / 3) }
        case .catmullRom: append(count, to: &weights) { Self.cubic(abs(first + Double($0) * step), b: 0, c: 0.5) }
        case .lanczos3: Self.appendLanczos3(from: first, step: step, count: count, to: &weights)
        }
    }

    private func append(_ count: Int, to weights: inout [Double], _ weight: (Int) -> Double) {
        for index in 0..<count { weights.append(weight(index)) }
    }

    /// Returns the weight of the cubic filter with the parameters `b` and `c` at a distance of `x` pixels, 0 or more.
    ///
    /// Source: D. P. Mitchell and A. N. Netravali, Reconstruction Filters in Computer Graphics, 1988.
    private static func cubic(_ x: Double, b: Double, c: Double) -> Double {
        if x < 1 { return (((12 - 9 * b - 6 * c) * x - 18 + 12 * b + 6 * c) * x * x + 6 - 2 * b) / 6 }
        if x < 2 { return (((-b - 6 * c) * x + 6 * b + 30 * c) * x * x - (12 * b + 48 * c) * x + 8 * b + 24 * c) / 6 }
        return 0
    }

    /// Appends the weights of the Lanczos filter with three lobes: 3 sin(3b) sin(b) / (3b)², where b is the distance
    /// multiplied by pi / 3, and sin(3b) = (3 - 4 sin²(b)) sin(b). Each sine is computed from the previous one, which
    /// is faster than calling `sin`.
    ///
    /// Source: C. E. Duchon, Lanczos Filtering in One and Two Dimensions, 1979.
    private static func appendLanczos3(from first: Double, step: Double, count: Int, to weights: inout [Double]) {
        let third = Double.pi / 3
        var (sine, cosine) = (sin(first * third), cos(first * third))
        let (stepSine, stepCosine) = (sin(step * third), cos(step * third))
        for index in 0..<count {
            let x = first + Double(index) * step
            let angle = x * third
            let square = sine * sine
            // Near the middle, dividend and divisor are nearly zero. The weight there differs from one by about the
            // square of the distance.
            let isMiddle = abs(x) < 1e-7
            weights.append(abs(x) >= 3 ? 0 : isMiddle ? 1 : square * (3 - 4 * square) / (3 * angle * angle))
            (sine, cosine) = (
                sine * stepCosine + cosine * stepSine, cosine * stepCosine - sine * stepSine
            )
        }
    }
}

extension ResamplingFilter: ContextValue {}
