/// Dark conifers on the near shore, at both sides of the picture. Their silhouettes have hard, jagged edges.
struct PineForest: Sendable {
    /// A tree. Its position and its height are in heights of the picture.
    private struct Pine {
        let middle: Float
        let foot: Float
        let height: Float
        /// The number that selects the noise for the twigs, so that they differ from tree to tree.
        let number: Float
    }

    private let noise: Noise
    /// The two rows of trees, of which the farther one is the first.
    private let rows: [[Pine]]
    private static let colors = [Vector(0.040, 0.058, 0.055), Vector(0.018, 0.026, 0.024)]

    init(noise: Noise) {
        self.noise = noise
        rows = [0, 1].map { row in (0..<16).map { Self.pine($0, row: row, noise: noise) } }
    }

    /// Returns the color of the trees at a position; nil between the trees.
    func color(across: Float, down: Float) -> Vector? {
        // The nearer row hides the other.
        for row in [1, 0] where isCovered(across, down, row: row) {
            let needles: Float = 1 + 0.5 * noise.layer(56).value(across * 300, down * 300)
            return Self.colors[row] * needles
        }
        return nil
    }

    private static func pine(_ index: Int, row: Int, noise: Noise) -> Pine {
        let isLeft = index < 10
        let depth: Float = noise.layer(52).uniform(index, row) * noise.layer(55).uniform(index, row)
        let inwards: Float = 0.715 - (isLeft ? 0.34 : 0.20) * depth
        let size: Float = 0.55 + 0.75 * noise.layer(53).uniform(index, row)
        let height: Float = (row == 1 ? 0.24 : 0.15) * size * smoothStep(0.22, 0.62, inwards)
        let middle: Float = isLeft ? -inwards : inwards
        return Pine(middle: middle, foot: 0.005 + shore(middle, row: row), height: height, number: Float(index))
    }

    /// Returns the distance of the shore below the upper edge of the picture. The shore rises toward both sides.
    private static func shore(_ across: Float, row: Int) -> Float {
        let left: Float = 0.10 * smoothStep(-0.18, -0.72, across)
        let right: Float = 0.055 * smoothStep(0.40, 0.72, across)
        return 0.985 - left - right + 0.035 * Float(row)
    }

    private func isCovered(_ across: Float, _ down: Float, row: Int) -> Bool {
        let hills = noise.layer(50).fractal(across * 9, Float(row), octaves: 5)
        let grass = noise.layer(51).value(across * 420, Float(row) * 7)
        if down > Self.shore(across, row: row) + 0.012 * hills + 0.006 * grass { return true }
        for pine in rows[row] where abs(across - pine.middle) < pine.height * 0.25 {
            let up: Float = (pine.foot - down) / pine.height
            guard up >= 0, up <= 1 else { continue }
            // Each of eleven whorls of twigs is widest at its lower end.
            let whorl: Float = 1 - 0.45 * fraction(up * 11)
            let side: Float = across > pine.middle ? 9 : 0
            let twigs: Float = 1 + 0.45 * noise.layer(54).value(up * 60, pine.number * 3.7 + side)
            let half: Float = 0.20 * power(1 - up, 0.85) * whorl * twigs + 0.006
            if abs(across - pine.middle) < half * pine.height { return true }
        }
        return false
    }
}
