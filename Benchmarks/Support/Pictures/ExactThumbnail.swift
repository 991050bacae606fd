#if JPEG && PNG
import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The reference thumbnail: all pixels decoded, then resampled by Lanczos3 in double precision, on a black background.
struct ExactThumbnail {
    private let size: PixelSize
    /// Red, green and blue, not rounded.
    private let values: [Double]

    init(of pixels: PixelBuffer, size: PixelSize) {
        self.size = size
        let columns = Self.windows(from: pixels.width, to: size.width)
        let rows = Self.windows(from: pixels.height, to: size.height)
        var narrow = [Double](repeating: 0, count: size.width * pixels.height * 3)
        for y in 0..<pixels.height {
            let row = Self.row(y, of: pixels)
            for (x, window) in columns.enumerated() {
                var (red, green, blue) = (0.0, 0.0, 0.0)
                for (tap, weight) in window.weights.enumerated() {
                    let place = (window.start + tap) * 3
                    red += row[place] * weight
                    green += row[place + 1] * weight
                    blue += row[place + 2] * weight
                }
                let place = (y * size.width + x) * 3
                (narrow[place], narrow[place + 1], narrow[place + 2]) = (red, green, blue)
            }
        }
        let rowCount = size.width * 3
        var values = [Double](repeating: 0, count: rowCount * size.height)
        for (y, window) in rows.enumerated() {
            for (tap, weight) in window.weights.enumerated() {
                let source = (window.start + tap) * rowCount
                for x in 0..<rowCount { values[y * rowCount + x] += narrow[source + x] * weight }
            }
        }
        self.values = values
    }

    /// Returns the peak signal-to-noise ratio of red, green and blue bytes without padding to this thumbnail, in
    /// decibels.
    func closeness(of bytes: Data) throws(BenchmarkError) -> Double {
        guard bytes.count == values.count else {
            throw BenchmarkError("\(bytes.count) bytes do not match a picture of \(size) pixels")
        }
        var squares = 0.0
        for (byte, exact) in zip(bytes, values) {
            let difference = Double(byte) - min(max(exact, 0), 255)
            squares += difference * difference
        }
        return 10 * log10(255 * 255 * Double(values.count) / squares)
    }

    /// Returns the premultiplied colors of a row.
    private static func row(_ y: Int, of pixels: PixelBuffer) -> [Double] {
        pixels.withRow(y) { (row: RawSpan) -> [Double] in
            row.withUnsafeBytes { (row: UnsafeRawBufferPointer) -> [Double] in
                var values = [Double](repeating: 0, count: pixels.width * 3)
                for x in 0..<pixels.width {
                    let alpha = Double(row[x * 4 + 3]) / 255
                    for channel in 0..<3 { values[x * 3 + channel] = Double(row[x * 4 + channel]) * alpha }
                }
                return values
            }
        }
    }

    private static func windows(from source: Int, to target: Int) -> [(start: Int, weights: [Double])] {
        let scale = Double(source) / Double(target)
        let stretch = max(scale, 1)
        return (0..<target).map { index in
            let center = (Double(index) + 0.5) * scale
            let start = max(0, Int((center - 3 * stretch).rounded(.down)))
            let end = min(source, Int((center + 3 * stretch).rounded(.up)))
            let weights = (start..<end).map { lanczos3((Double($0) + 0.5 - center) / stretch) }
            let sum = weights.reduce(0, +)
            return (start, weights.map { $0 / sum })
        }
    }

    private static func lanczos3(_ x: Double) -> Double {
        guard abs(x) < 3 else { return 0 }
        guard abs(x) > 1e-9 else { return 1 }
        let angle = Double.pi * x
        return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
    }
}

extension PixelBuffer {
    /// The red, green and blue of 8-bit pixels on a black background, row by row, without padding.
    var bytesOnBlack: Data {
        var bytes = Data(capacity: width * height * 3)
        for y in 0..<height {
            withRow(y) { (row: RawSpan) -> Void in
                row.withUnsafeBytes { (row: UnsafeRawBufferPointer) -> Void in
                    for x in 0..<width {
                        let alpha = Int(row[x * 4 + 3])
                        for channel in 0..<3 { bytes.append(UInt8((Int(row[x * 4 + channel]) * alpha + 127) / 255)) }
                    }
                }
            }
        }
        return bytes
    }
}
#endif
