/// The scores of the pixels of a picture for the attention that they draw: edges, saturated colors, and colors of skin.
struct AttentionMap {
    private let map: PictureMap
    /// The sum of the scores above and to the left of each corner of a pixel. A row has one more value than the map.
    private let sums: [Double]

    /// The weights of edges, saturation and skin. Skin counts most, since people look at people first.
    private static let weights = (edge: 1.0, saturation: 0.3, skin: 1.8)
    /// Red, green and blue of skin, as a vector of length 1. Skin of all tones has about this ratio.
    private static let skin = SIMD3<Float>(0.78, 0.57, 0.44) / 1.062

    init(_ map: PictureMap) {
        self.map = map
        var sums = [Double](repeating: 0, count: (map.width + 1) * (map.height + 1))
        for y in 0..<map.height {
            var line = 0.0
            for x in 0..<map.width {
                line += Self.score(map, x, y)
                sums[(y + 1) * (map.width + 1) + x + 1] = sums[y * (map.width + 1) + x + 1] + line
            }
        }
        self.sums = sums
    }

    /// Returns the place of the window with the largest sum of scores. If several windows have nearly this sum, returns
    /// the one that has the center of the scores nearest to its middle.
    func origin(of window: (width: Double, height: Double), job: Job) throws(ImageError) -> (x: Double, y: Double) {
        var candidates: [(x: Double, y: Double, sum: Double)] = []
        for y in PictureMap.offsets(of: window.height, along: map.height) {
            try job.check()
            for x in PictureMap.offsets(of: window.width, along: map.width) {
                candidates.append((x, y, sum(x..<x + window.width, y..<y + window.height)))
            }
        }
        let best = candidates.max { $0.sum < $1.sum }!
        // A picture without any details.
        guard best.sum > 1e-6 * window.width * window.height else {
            return ((Double(map.width) - window.width) / 2, (Double(map.height) - window.height) / 2)
        }
        let center = centroid(best.x..<best.x + window.width, best.y..<best.y + window.height)
        func distance(_ place: (x: Double, y: Double, sum: Double)) -> Double {
            let (dx, dy) = (place.x + window.width / 2 - center.x, place.y + window.height / 2 - center.y)
            return dx * dx + dy * dy
        }
        let equal = candidates.filter { $0.sum >= 0.98 * best.sum }
        let chosen = equal.min { distance($0) < distance($1) } ?? best
        return (chosen.x, chosen.y)
    }

    private static func score(_ map: PictureMap, _ x: Int, _ y: Int) -> Double {
        let luma = map.luma(x, y)
        let around = map.luma(x - 1, y) + map.luma(x + 1, y) + map.luma(x, y - 1) + map.luma(x, y + 1)
        let edge = abs(4 * luma - around) / 4
        let color = map.colors[y * map.width + x]
        let channels = pointwiseMin(pointwiseMax(SIMD3(color.x, color.y, color.z), .zero), .one)
        let (least, most) = (Double(channels.min()), Double(channels.max()))
        // Dark pixels show no color.
        let saturation = most > 0.1 ? (most - least) / most * luma : 0
        let length = (channels * channels).sum().squareRoot()
        let likeness = length > 0.2 ? Double((channels * skin).sum() / length) : 0
        // A likeness of 1 is exactly skin; other warm colors begin at about 0.97.
        let skin = luma > 0.15 && luma < 0.95 ? max(0, likeness - 0.98) / 0.02 : 0
        return Double(color.w) * (weights.edge * edge + weights.saturation * saturation + weights.skin * skin)
    }

    /// Returns the sum of the scores in a window, which may begin and end within pixels.
    private func sum(_ columns: Range<Double>, _ rows: Range<Double>) -> Double {
        sum(to: columns.upperBound, rows.upperBound) - sum(to: columns.lowerBound, rows.upperBound)
            - sum(to: columns.upperBound, rows.lowerBound) + sum(to: columns.lowerBound, rows.lowerBound)
    }

    /// Returns the sum of the scores above and to the left of a place.
    private func sum(to x: Double, _ y: Double) -> Double {
        let (column, row) = (min(Int(x), map.width - 1), min(Int(y), map.height - 1))
        let (right, down) = (x - Double(column), y - Double(row))
        let above = row * (map.width + 1) + column
        let below = above + map.width + 1
        return (1 - down) * ((1 - right) * sums[above] + right * sums[above + 1])
            + down * ((1 - right) * sums[below] + right * sums[below + 1])
    }

    /// Returns the center of the scores in a window.
    private func centroid(_ columns: Range<Double>, _ rows: Range<Double>) -> (x: Double, y: Double) {
        var (x, y, whole) = (0.0, 0.0, 0.0)
        for row in Int(rows.lowerBound)..<min(Int(rows.upperBound.rounded(.up)), map.height) {
            for column in Int(columns.lowerBound)..<min(Int(columns.upperBound.rounded(.up)), map.width) {
                let score = Self.score(map, column, row)
                x += score * (Double(column) + 0.5)
                y += score * (Double(row) + 0.5)
                whole += score
            }
        }
        return (x / whole, y / whole)
    }
}
