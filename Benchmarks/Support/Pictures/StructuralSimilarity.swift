#if GIF
import CalotypeStandard

/// The perceived similarity of pictures to a reference: the mean SSIM of luma in windows of 8x8 pixels.
///
/// Source: Z. Wang and others, "Image Quality Assessment: From Error Visibility to Structural Similarity", 2004.
struct StructuralSimilarity {
    private static let windowSide = 8
    /// The distance from one window to the next.
    private static let step = 4

    private let width: Int
    private let luma: [Double]

    init(to pixels: PixelBuffer) {
        width = pixels.width
        luma = Self.luma(of: pixels)
    }

    /// Returns the similarity of a picture of the same size: 1 for identical luma.
    func index(of pixels: PixelBuffer) throws(BenchmarkError) -> Double {
        let other = Self.luma(of: pixels)
        guard pixels.width == width, other.count == luma.count else {
            throw BenchmarkError("the size \(pixels.size) of one picture differs from the other")
        }
        var (sum, count) = (0.0, 0)
        for y in stride(from: 0, through: luma.count / width - Self.windowSide, by: Self.step) {
            for x in stride(from: 0, through: width - Self.windowSide, by: Self.step) {
                sum += window(x, y, other)
                count += 1
            }
        }
        return sum / Double(count)
    }

    private func window(_ x: Int, _ y: Int, _ other: [Double]) -> Double {
        var (one, two) = (0.0, 0.0)
        var (squares, otherSquares, products) = (0.0, 0.0, 0.0)
        for row in y..<y + Self.windowSide {
            for place in row * width + x..<row * width + x + Self.windowSide {
                one += luma[place]
                two += other[place]
                squares += luma[place] * luma[place]
                otherSquares += other[place] * other[place]
                products += luma[place] * other[place]
            }
        }
        let count = Double(Self.windowSide * Self.windowSide)
        let (mean, otherMean) = (one / count, two / count)
        let variance = squares / count - mean * mean
        let otherVariance = otherSquares / count - otherMean * otherMean
        let covariance = products / count - mean * otherMean
        let (small, smaller) = (0.01 * 255 * 0.01 * 255, 0.03 * 255 * 0.03 * 255)
        return (2 * mean * otherMean + small) * (2 * covariance + smaller)
            / ((mean * mean + otherMean * otherMean + small) * (variance + otherVariance + smaller))
    }

    private static func luma(of pixels: PixelBuffer) -> [Double] {
        (0..<pixels.height).flatMap { y in
            pixels.withRow(y) { (row: RawSpan) -> [Double] in
                row.withUnsafeBytes { (row: UnsafeRawBufferPointer) -> [Double] in
                    stride(from: 0, to: row.count, by: 4).map { place in
                        0.299 * Double(row[place]) + 0.587 * Double(row[place + 1]) + 0.114 * Double(row[place + 2])
                    }
                }
            }
        }
    }
}
#endif
