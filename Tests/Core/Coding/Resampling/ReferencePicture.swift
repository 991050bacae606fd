import Calotype
import Foundation

/// A picture in double precision that can be resampled: a simple, slow reference for the library's resampling.
///
/// It filters premultiplied color, first along the rows, then along the columns. The filter is widened for reductions.
/// Weights are normalized to sum to one, so windows that are cut off at an edge need no special case. A side whose
/// length does not change is not filtered.
struct ReferencePicture {
    let size: PixelSize
    /// Whether color is linear light instead of sRGB levels.
    private let isLinear: Bool
    /// The red, green, blue and alpha of all pixels, row by row. 1 is full; color is premultiplied by alpha.
    private let values: [Double]

    /// Creates a picture of the levels, or of their linear light.
    init(_ pixels: PixelBuffer, isLinear: Bool = false) {
        let full = pixels.format.fullLevel
        var values = pixels.levels.map { $0 / full }
        for pixel in stride(from: 0, to: values.count, by: 4) {
            for channel in pixel..<pixel + 3 {
                values[channel] = (isLinear ? Self.light(values[channel]) : values[channel]) * values[pixel + 3]
            }
        }
        self.init(size: pixels.size, isLinear: isLinear, values: values)
    }

    private init(size: PixelSize, isLinear: Bool, values: [Double]) {
        self.size = size
        self.isLinear = isLinear
        self.values = values
    }

    /// Returns the light of a level by IEC 61966-2-1, both of 0...1. Negative levels are mirrored.
    static func light(_ level: Double) -> Double {
        guard level >= 0 else { return -light(-level) }
        return level > 0.04045 ? pow((level + 0.055) / 1.055, 2.4) : level / 12.92
    }

    /// Returns the level of an amount of light.
    static func level(_ light: Double) -> Double {
        guard light >= 0 else { return -level(-light) }
        return light > 0.0031308 ? 1.055 * pow(light, 1 / 2.4) - 0.055 : light * 12.92
    }

    /// Returns the picture, or the part of it in `region`, at another size.
    func resampled(
        to target: PixelSize, region: (x: Range<Double>, y: Range<Double>)? = nil, filter: ResamplingFilter = .lanczos3
    ) -> ReferencePicture {
        let region = region ?? (x: 0..<Double(size.width), y: 0..<Double(size.height))
        let columns = Self.shares(ofLine: size.width, region.x, targetLength: target.width, filter)
        let rows = Self.shares(ofLine: size.height, region.y, targetLength: target.height, filter)
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
        return ReferencePicture(size: target, isLinear: isLinear, values: made)
    }

    /// Returns the nearest levels of `format`, with straight alpha. Values out of range are clipped, in floating point
    /// only those of alpha.
    func levels(in format: PixelFormat) -> [Double] {
        let full = format.fullLevel
        var levels = [Double](repeating: 0, count: values.count)
        for pixel in stride(from: 0, to: values.count, by: 4) {
            let alpha = max(values[pixel + 3], 0)
            guard alpha > 0 else { continue }
            for channel in pixel..<pixel + 3 {
                let color = isLinear ? Self.level(values[channel] / alpha) : values[channel] / alpha
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

    /// Returns, for each pixel of a resampled line, the contributing pixels of the line of `length`.
    private static func shares(
        ofLine length: Int, _ region: Range<Double>, targetLength: Int, _ filter: ResamplingFilter
    ) -> [[Share]] {
        let scale = (region.upperBound - region.lowerBound) / Double(targetLength)
        if scale == 1, region.lowerBound == region.lowerBound.rounded() {
            return (0..<targetLength).map { [Share(place: Int(region.lowerBound) + $0, weight: 1)] }
        }
        let stretch = max(1, scale)
        return (0..<targetLength).map { (target: Int) -> [Share] in
            let center = region.lowerBound + (Double(target) + 0.5) * scale
            if filter == .nearest {
                return [Share(place: min(Int(center + rounding), length - 1), weight: 1)]
            }
            var shares: [Share] = []
            for place in 0..<length {
                let weight = Self.weight(filter, (Double(place) + 0.5 - center) / stretch)
                if weight != 0 { shares.append(Share(place: place, weight: weight)) }
            }
            let sum = shares.reduce(0) { $0 + $1.weight }
            return shares.map { Share(place: $0.place, weight: $0.weight / sum) }
        }
    }

    /// A distance that exceeds rounding errors, but is smaller than the distance of different positions.
    private static let rounding = 1e-8

    /// The textbook definitions of the filters.
    private static func weight(_ filter: ResamplingFilter, _ distance: Double) -> Double {
        let x = abs(distance)
        switch filter {
        case .nearest: preconditionFailure("the filter `nearest` has no weights")
        case .box: return distance > -0.5 + rounding && distance <= 0.5 + rounding ? 1 : 0
        case .bilinear: return x < 1 ? 1 - x : 0
        case .mitchell:
            if x < 1 { return 7.0 / 6 * x * x * x - 2 * x * x + 8.0 / 9 }
            return x < 2 ? -7.0 / 18 * x * x * x + 2 * x * x - 10.0 / 3 * x + 16.0 / 9 : 0
        case .catmullRom:
            if x < 1 { return 1.5 * x * x * x - 2.5 * x * x + 1 }
            return x < 2 ? -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2 : 0
        case .lanczos3: return x < 3 ? sinc(x) * sinc(x / 3) : 0
        }
    }

    private static func sinc(_ x: Double) -> Double {
        x == 0 ? 1 : sin(Double.pi * x) / (Double.pi * x)
    }
}
