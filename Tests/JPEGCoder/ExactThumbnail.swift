#if JPEG
import Calotype
import Foundation

/// The reference thumbnail of a complete picture, in double precision: Lanczos with three lobes, widened by the
/// reduction factor, first along columns, then along rows.
enum ExactThumbnail {
    /// Returns the four samples of each pixel, which are opaque.
    static func samples(of whole: [UInt8], _ size: PixelSize, at target: PixelSize) -> [UInt8] {
        let columns = shares(target.width, of: size.width)
        let rows = shares(target.height, of: size.height)
        var narrow = [Double](repeating: 0, count: target.width * size.height * 4)
        for y in 0..<size.height {
            for x in 0..<target.width {
                for share in columns[x] {
                    for channel in 0..<4 {
                        narrow[(y * target.width + x) * 4 + channel] +=
                            Double(whole[(y * size.width + share.place) * 4 + channel]) * share.weight
                    }
                }
            }
        }
        var samples: [UInt8] = []
        for y in 0..<target.height {
            for index in 0..<target.width * 4 {
                let sum = rows[y].reduce(0) { $0 + narrow[$1.place * target.width * 4 + index] * $1.weight }
                samples.append(UInt8(min(max(sum, 0), 255).rounded()))
            }
        }
        return samples
    }

    /// Returns, for each position of a line of `length`, the samples of a line of `count` that contribute to it, and
    /// their weights, which sum to one.
    private static func shares(_ length: Int, of count: Int) -> [[(place: Int, weight: Double)]] {
        let scale = Double(count) / Double(length)
        return (0..<length).map { target in
            let center = (Double(target) + 0.5) * scale
            let shares = (0..<count).map { place in
                (place: place, weight: lanczos((Double(place) + 0.5 - center) / max(scale, 1)))
            }
            let sum = shares.reduce(0) { $0 + $1.weight }
            return shares.filter { $0.weight != 0 }.map { ($0.place, $0.weight / sum) }
        }
    }

    private static func lanczos(_ x: Double) -> Double {
        guard abs(x) < 3 else { return 0 }
        guard x != 0 else { return 1 }
        return sin(.pi * x) / (.pi * x) * sin(.pi * x / 3) / (.pi * x / 3)
    }
}
#endif
