import Calotype
import Foundation

/// A picture in double precision that can be resampled: the plain, slow twin of what the library does with care.
///
/// Lanczos with three lobes on premultiplied colour, first along the rows, then along the columns. The filter is
/// widened where the picture gets smaller, and weights are made to sum to one, so that windows cut off at an edge need
/// no care.
struct ReferencePicture {
    let size: PixelSize
    /// Red, green, blue and alpha of all pixels, row after row; 1 is full, colour is premultiplied by alpha.
    private let values: [Double]

    init(_ pixels: PixelBuffer) {
        let full = pixels.format.fullLevel
        var values = pixels.levels.map { $0 / full }
        for pixel in stride(from: 0, to: values.count, by: 4) {
            for channel in pixel..<pixel + 3 { values[channel] *= values[pixel + 3] }
        }
        self.init(size: pixels.size, values: values)
    }

    private init(size: PixelSize, values: [Double]) {
        self.size = size
        self.values = values
    }

    /// The picture, or the part of it in `region`, at another size.
    func resampled(
        to target: PixelSize, region: (x: Range<Double>, y: Range<Double>)? = nil
    ) -> ReferencePicture {
        let region = region ?? (x: 0..<Double(size.width), y: 0..<Double(size.height))
        let columns = Self.shares(ofLine: size.width, region.x, targetLength: target.width)
        let rows = Self.shares(ofLine: size.height, region.y, targetLength: target.height)
        var narrow = [Double](repeating: 0, count: target.width * size.height * 4)
        for y in 0..<size.height {
            for x in 0..<target.width {
                for share in columns[x] {
                    for channel in 0..<4 {
                        narrow[(y * target.width + x) * 4 + channel] +=
                            values[(y * size.width + share.place) * 4 + channel] * share.weight
                    }
                }
            }
        }
        var made = [Double](repeating: 0, count: target.width * target.height * 4)
        for y in 0..<target.height {
            for share in rows[y] {
                for index in 0..<target.width * 4 {
                    made[y * target.width * 4 + index] += narrow[share.place * target.width * 4 + index] * share.weight
                }
            }
        }
        return ReferencePicture(size: target, values: made)
    }

    /// The levels that pixels of `format` come nearest to: straight alpha, and what is beyond the ends cut off, which
    /// for floating point is alpha alone.
    func levels(in format: PixelFormat) -> [Double] {
        let full = format.fullLevel
        var levels = [Double](repeating: 0, count: values.count)
        for pixel in stride(from: 0, to: values.count, by: 4) {
            let alpha = max(values[pixel + 3], 0)
            guard alpha > 0 else { continue }
            for channel in pixel..<pixel + 3 {
                let color = values[channel] / alpha
                levels[channel] = (format == .rgbaFloat ? color : min(max(color, 0), 1)) * full
            }
            levels[pixel + 3] = min(alpha, 1) * full
        }
        return levels
    }

    private struct Share {
        let place: Int
        let weight: Double
    }

    /// For each pixel of a line to be made, the pixels of the line of `length` that it is made of.
    private static func shares(ofLine length: Int, _ region: Range<Double>, targetLength: Int) -> [[Share]] {
        let scale = (region.upperBound - region.lowerBound) / Double(targetLength)
        let stretch = max(1, scale)
        return (0..<targetLength).map { (target: Int) -> [Share] in
            let center = region.lowerBound + (Double(target) + 0.5) * scale
            var shares: [Share] = []
            for place in 0..<length {
                let distance = (Double(place) + 0.5 - center) / stretch
                if abs(distance) < 3 {
                    shares.append(Share(place: place, weight: sinc(distance) * sinc(distance / 3)))
                }
            }
            let sum = shares.reduce(0) { $0 + $1.weight }
            return shares.map { Share(place: $0.place, weight: $0.weight / sum) }
        }
    }

    private static func sinc(_ x: Double) -> Double {
        x == 0 ? 1 : sin(Double.pi * x) / (Double.pi * x)
    }
}
