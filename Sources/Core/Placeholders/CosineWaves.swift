#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A picture as a sum of cosine waves, as in a ``BlurHash``, with four channels per wave.
///
/// The wave of column `i` and row `j` is cos(πix)·cos(πjy), where x and y go from 0 to 1 across the picture. The
/// amplitude of the first wave is the mean of the picture.
struct CosineWaves: Hashable, Sendable {
    /// The longer side, in pixels, of a blur of unspecified size. A larger blur shows no more detail.
    static let drawnSide = 32

    /// The number of waves across.
    let columns: Int
    /// The number of waves down.
    let rows: Int
    /// The point of each pixel at which waves are sampled: 0 for its upper left corner, 0.5 for its center.
    private let phase: Double
    /// The amplitudes of the waves, one row of the grid after another.
    private var amplitudes: [SIMD4<Double>]

    /// Creates waves whose amplitudes are zero.
    init(columns: Int, rows: Int, phase: Double) {
        self.columns = columns
        self.rows = rows
        self.phase = phase
        amplitudes = Array(repeating: .zero, count: columns * rows)
    }

    /// Creates the waves of a picture. The amplitude of a wave is the mean product of the pixels and the wave.
    /// - Parameter pixels: The pixels, row after row.
    init(of pixels: [SIMD4<Double>], size: PixelSize, columns: Int, rows: Int, phase: Double) {
        self.init(columns: columns, rows: rows, phase: phase)
        let across = Self.cosines(columns, along: size.width, phase: phase)
        let down = Self.cosines(rows, along: size.height, phase: phase)
        for y in 0..<size.height {
            for column in 0..<columns {
                var sum = SIMD4<Double>.zero
                for x in 0..<size.width { sum += pixels[y * size.width + x] * across[column][x] }
                for row in 0..<rows { self[column, row] += sum * down[row][y] }
            }
        }
        for index in amplitudes.indices { amplitudes[index] /= Double(size.area) }
    }

    /// The amplitude of a wave in each channel.
    subscript(column: Int, row: Int) -> SIMD4<Double> {
        get { amplitudes[row * columns + column] }
        set { amplitudes[row * columns + column] = newValue }
    }

    /// Returns the sum of all waves as an image.
    /// - Parameter level: Converts the sums in the four channels of a pixel to levels from 0 to 255.
    func image(
        size: PixelSize, isOpaque: Bool, level: (SIMD4<Double>) -> SIMD4<UInt8>
    ) throws(ImageError) -> Image {
        var builder = try PixelBufferBuilder(PixelLayout(size: size, isOpaque: isOpaque), isZeroed: true)
        let across = Self.cosines(columns, along: size.width, phase: phase)
        let down = Self.cosines(rows, along: size.height, phase: phase)
        for y in 0..<size.height {
            // The sum over the rows of waves, for each column of waves, in this row of pixels.
            var sums = Array(repeating: SIMD4<Double>.zero, count: columns)
            for row in 0..<rows {
                for column in 0..<columns { sums[column] += self[column, row] * down[row][y] }
            }
            builder.withRow(y) { (pixels: inout MutableRawSpan) -> Void in
                for x in 0..<size.width {
                    var sum = SIMD4<Double>.zero
                    for column in 0..<columns { sum += sums[column] * across[column][x] }
                    pixels.storeBytes(of: level(sum), toByteOffset: x * 4, as: SIMD4<UInt8>.self)
                }
            }
        }
        return Image(pixels: builder.finish())
    }

    /// Returns the values of the first `count` waves at each of `length` pixels.
    private static func cosines(_ count: Int, along length: Int, phase: Double) -> [[Double]] {
        (0..<count).map { wave in
            (0..<length).map { cos(Double.pi * Double(wave) * (Double($0) + phase) / Double(length)) }
        }
    }
}
