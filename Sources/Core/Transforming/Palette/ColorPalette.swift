/// A palette of at most 256 colors.
package struct ColorPalette {
    /// The red, green and blue of each color, 0...255.
    package let colors: [SIMD3<UInt8>]

    package init(_ colors: [SIMD3<UInt8>]) { self.colors = colors }

    /// Creates a palette of colors that have red in the lowest byte.
    package init(_ colors: [UInt32]) {
        self.init(colors.map { SIMD3(truncatingIfNeeded: SIMD3<UInt32>($0, $0 >> 8, $0 >> 16)) })
    }

    /// Creates the best palette of at most `count` colors for a histogram. The palette is exact if the colors of the
    /// histogram are counted separately and fit into it.
    package init(_ histogram: ColorHistogram, count: Int) {
        if let colors = histogram.colors(atMost: count) {
            self.init(colors)
        } else {
            let bins = histogram.bins
            self.init(Self.refined(ColorBoxes(bins).means(count), by: bins))
        }
    }

    /// The number of refinement rounds. More rounds hardly improve the result.
    private static let roundCount = 4

    /// Returns a palette that fits a histogram better than `means`. Source: S. Lloyd, "Least squares quantization in
    /// PCM", 1982.
    private static func refined(_ means: [SIMD3<Double>], by bins: [ColorHistogram.Bin]) -> [SIMD3<UInt8>] {
        let bins = bins.filter { $0.count > 0 }
        var colors = means.map { SIMD3<UInt8>($0, rounding: .toNearestOrEven) }
        for _ in 0..<roundCount {
            let search = ColorSearch(colors)
            var sums = [SIMD3<Int>](repeating: SIMD3(), count: colors.count)
            var counts = [Int](repeating: 0, count: colors.count)
            for bin in bins {
                let mean = bin.sums / SIMD3(repeating: bin.count)
                let index = search.nearest(SIMD3<Int32>(truncatingIfNeeded: mean))
                sums[index] &+= bin.sums
                counts[index] += bin.count
            }
            for index in colors.indices where counts[index] > 0 {
                let mean = SIMD3<Double>(sums[index]) / Double(counts[index])
                colors[index] = SIMD3<UInt8>(mean, rounding: .toNearestOrEven)
            }
        }
        var seen: Set<SIMD3<UInt8>> = []
        return colors.filter { seen.insert($0).inserted }
    }

    /// The mean distance from a color of the palette to the nearest other color, in levels of one channel; 0 for a
    /// single color.
    package var spacing: Double {
        guard colors.count > 1 else { return 0 }
        let channels = colors.map { SIMD3<Int32>(truncatingIfNeeded: $0) }
        let sum = channels.indices.reduce(0.0) { sum, index in
            var least = Int32.max
            for other in channels.indices where other != index {
                let step = channels[other] &- channels[index]
                least = min(least, (step &* step).wrappedSum())
            }
            return sum + (Double(least) / 3).squareRoot()
        }
        return sum / Double(colors.count)
    }
}
