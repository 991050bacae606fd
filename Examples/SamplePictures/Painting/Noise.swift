/// Pseudorandom numbers that depend only on the position and the seed. The order in which threads request them does not
/// matter.
struct Noise: Sendable {
    let seed: UInt32

    /// Returns noise with another seed, which is independent of this noise. The layer 0 is this noise.
    func layer(_ number: Int) -> Noise { Noise(seed: seed &+ UInt32(truncatingIfNeeded: number)) }

    /// Returns 32 random bits for a cell of the plane.
    func bits(_ column: Int, _ row: Int) -> UInt32 {
        let x: UInt32 = UInt32(truncatingIfNeeded: column) &* 0x8DA6_B343
        let y: UInt32 = UInt32(truncatingIfNeeded: row) &* 0xD816_3841
        var hash: UInt32 = seed ^ x ^ y
        hash ^= hash >> 15
        hash = hash &* 0x2C1B_3C6D
        hash ^= hash >> 12
        hash = hash &* 0x297A_2D39
        hash ^= hash >> 15
        return hash
    }

    /// Returns a random number for a cell of the plane, 0..<1.
    func uniform(_ column: Int, _ row: Int) -> Float {
        Float(bits(column, row) >> 8) * (1.0 / 16_777_216)
    }

    /// Returns the height of a smooth surface at a position, -1...1. The hills of the surface are about 1 apart.
    func value(_ x: Float, _ y: Float) -> Float {
        let cell = Cell(self, x, y)
        let weightX: Float = cell.x * cell.x * (3 - 2 * cell.x)
        let weightY: Float = cell.y * cell.y * (3 - 2 * cell.y)
        return cell.height(weightX, weightY)
    }

    /// Returns the height of a surface at a position, -1...1, and its slopes along x and y. Unlike that of `value`, the
    /// surface has no visible edges between cells, because its second derivative is continuous.
    func surface(_ x: Float, _ y: Float) -> (value: Float, slopeX: Float, slopeY: Float) {
        let cell = Cell(self, x, y)
        let weightX = Self.quintic(cell.x)
        let weightY = Self.quintic(cell.y)
        let slopeX: Float = 2 * Self.quinticSlope(cell.x) * (cell.alongX + cell.twist * weightY)
        let slopeY: Float = 2 * Self.quinticSlope(cell.y) * (cell.alongY + cell.twist * weightX)
        return (cell.height(weightX, weightY), slopeX, slopeY)
    }

    /// Returns fractal noise at a position, about -1...1. Each octave of the noise is half as high and half as wide as
    /// the octave before.
    func fractal(_ x: Float, _ y: Float, octaves: Int) -> Float {
        var (x, y) = (x, y)
        var sum: Float = 0
        var amplitude: Float = 0.5
        for octave in 0..<octaves {
            sum += amplitude * layer(octave).value(x, y)
            amplitude *= 0.5
            Self.refine(&x, &y)
        }
        return sum
    }

    /// Moves a position from one octave to the next: doubles it, and rotates it so that the grids of the octaves are
    /// not aligned.
    static func refine(_ x: inout Float, _ y: inout Float) {
        let turned: Float = 1.6 * x - 1.2 * y
        y = 1.2 * x + 1.6 * y
        x = turned
    }

    private static func quintic(_ t: Float) -> Float {
        let inner: Float = t * (t * 6 - 15) + 10
        return t * t * t * inner
    }

    private static func quinticSlope(_ t: Float) -> Float {
        let inner: Float = t * (t - 2) + 1
        return 30 * t * t * inner
    }

    /// The grid cell that contains a position: the values at its corners, and the position within the cell.
    private struct Cell {
        let x: Float
        let y: Float
        let corner: Float
        let alongX: Float
        let alongY: Float
        let twist: Float

        init(_ noise: Noise, _ x: Float, _ y: Float) {
            let left = x.rounded(.down)
            let top = y.rounded(.down)
            let column = Int(left)
            let row = Int(top)
            self.x = x - left
            self.y = y - top
            let corner = noise.uniform(column, row)
            let right = noise.uniform(column + 1, row)
            let below = noise.uniform(column, row + 1)
            let opposite = noise.uniform(column + 1, row + 1)
            self.corner = corner
            alongX = right - corner
            alongY = below - corner
            twist = corner - right - below + opposite
        }

        func height(_ weightX: Float, _ weightY: Float) -> Float {
            let sum: Float = corner + alongX * weightX + alongY * weightY + twist * weightX * weightY
            return 2 * sum - 1
        }
    }
}
