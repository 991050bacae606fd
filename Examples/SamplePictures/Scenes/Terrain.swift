import CalotypeStandard

/// Mountains behind a lake: the shape of the ground, its distance in each pixel, and its light.
///
/// A unit of length is about the height of the tallest mountains. x points to the right, y up from the water, and z
/// away from the camera.
struct Terrain: Sendable {
    /// The camera's height above the water.
    static let eye: Float = 0.16
    /// The width, at the distance 1 from the camera, of what is visible in a square as high as the picture.
    static let fieldOfView: Float = 0.95
    /// The distance from the camera at which the ground ends.
    static let farthest: Float = 26
    /// The distance of the horizon below the upper edge, as a fraction of the height of the picture.
    static let horizon: Float = 0.62
    /// Half of the width of the ground.
    private static let side: Float = 16
    /// The number of points of the grid of shadows, along each axis.
    private static let gridSize = 1_024
    /// The direction to the sun.
    private static let sun: Vector = normalized(Vector(-0.80, 0.50, -0.12))

    private let canvas: Canvas
    private let noise: Noise
    /// The distance of the ground in each pixel, column by column; 0 for a pixel of the sky.
    private var distances: [Float] = []
    /// The height up to which shadows reach, for each point of the grid of shadows, row by row away from the camera.
    private var shadows: [Float] = []

    init(canvas: Canvas, noise: Noise) async {
        self.canvas = canvas
        self.noise = noise
        let bare = self
        let shadowRows = await concurrently(Self.gridSize) { row in bare.shadows(inRow: row) }
        shadows = Array(shadowRows.joined())
        let distanceColumns = await concurrently(canvas.size.width) { column in bare.distances(inColumn: column) }
        distances = Array(distanceColumns.joined())
    }

    /// Returns the distance of the ground from the camera in a pixel; 0 for a pixel of the sky.
    func distance(column: Int, row: Int) -> Float { distances[column * canvas.size.height + row] }

    /// Returns by how much the lines of sight through a row of pixels rise, for each unit of distance. Negative below
    /// the horizon.
    func slope(ofRow row: Int) -> Float { (Self.horizon - canvas.down(Float(row))) * Self.fieldOfView }

    // MARK: The form

    /// Returns the height of the ground above the water at a position. The more octaves of noise are used, the more
    /// detail the ground has.
    private func height(_ x: Float, _ z: Float, octaves: Int) -> Float {
        let range: Float = smoothStep(2.4, 9.5, z + 0.25 * abs(x))
        let shore: Float = abs(x - 0.15 * z) - 0.25 * z + 0.2
        let edge: Float = 0.55 * smoothStep(1.2, 3.6, shore) * smoothStep(0.5, 3, z)
        let rise: Float = max(range, edge)
        let rough: Float = 0.50 + 0.95 * eroded(x, z, octaves: octaves)
        let share: Float = 0.30 + 0.70 * range
        return rise * (0.50 + 2.1 * rough * share) - 0.22
    }

    /// Returns the height of a rough surface at a position. The fine details of its noise fade on steep ground, as if
    /// they were eroded by water.
    private func eroded(_ x: Float, _ z: Float, octaves: Int) -> Float {
        var placeX: Float = x * 0.42 + 3.1
        var placeZ: Float = z * 0.42 + 1.7
        var sum: Float = 0
        var amplitude: Float = 1
        var steepX: Float = 0
        var steepZ: Float = 0
        for octave in 0..<octaves {
            let surface = noise.layer(octave).surface(placeX, placeZ)
            steepX += surface.slopeX * 0.5
            steepZ += surface.slopeY * 0.5
            let steepness: Float = 1 + steepX * steepX + steepZ * steepZ
            sum += amplitude * surface.value / steepness
            amplitude *= 0.5
            Noise.refine(&placeX, &placeZ)
        }
        return sum
    }

    // MARK: Precomputation

    /// Returns the heights up to which shadows reach, for a row of the grid of shadows. The sun is to the left, so the
    /// shadow of a crest runs along the row and descends until the ground rises above it.
    private func shadows(inRow row: Int) -> [Float] {
        let count = Self.gridSize
        let width: Float = 2 * Self.side / Float(count - 1)
        let drop: Float = width * Self.sun.y / hypotenuse(Self.sun.x, Self.sun.z)
        let z: Float = Self.farthest / Float(count - 1) * Float(row)
        var shadows = [Float](repeating: 0, count: count)
        var shadow: Float = -10
        for column in 0..<count {
            shadow -= drop
            shadows[column] = shadow
            let x: Float = width * Float(column) - Self.side
            shadow = max(shadow, height(x, z, octaves: 8))
        }
        return shadows
    }

    /// Returns the distances of the ground in a column of pixels, in the order of the rows.
    ///
    /// The distances are determined from the lowest pixel upward. The ground in a pixel is never nearer than in the
    /// pixel below, so one walk away from the camera serves the whole column.
    private func distances(inColumn column: Int) -> [Float] {
        var distances = [Float](repeating: 0, count: canvas.size.height)
        let sideways: Float = canvas.across(Float(column)) * Self.fieldOfView
        var here: Float = 0.6
        var before: Float = here
        var groundBefore: Float = -1
        var row = distances.count - 1
        while row >= 0, here < Self.farthest {
            let ground = height(sideways * here, here, octaves: here < 6 ? 9 : 8)
            var above: Float = 0
            while row >= 0 {
                let rising = slope(ofRow: row)
                above = Self.eye + rising * here - ground
                if above > 0 { break }
                let aboveBefore: Float = max(1e-6, Self.eye + rising * before - groundBefore)
                distances[row] = before + (here - before) * aboveBefore / (aboveBefore - above)
                row -= 1
            }
            before = here
            groundBefore = ground
            here += max(0.0022 * here, 0.30 * above)
        }
        return distances
    }

    // MARK: The light

    /// Returns the light from the ground at a distance, in a column of the picture. The haze between the ground and the
    /// camera is included.
    func light(column: Float, distance: Float) -> Vector {
        let sideways: Float = canvas.across(column) * Self.fieldOfView
        let x: Float = sideways * distance
        let octaves = distance > 9 ? 7 : (distance > 4 ? 8 : 9)
        let near: Float = max(0.0009 * distance, 0.002)
        let height = height(x, distance, octaves: octaves)
        let riseX: Float = self.height(x + near, distance, octaves: octaves) - height
        let riseZ: Float = self.height(x, distance + near, octaves: octaves) - height
        let normal = normalized(Vector(-riseX, near, -riseZ))

        let direct: Float = max(0, dot(normal, Self.sun)) * sunlight(x, distance, height: height)
        let upward: Float = 0.55 + 0.45 * normal.y
        let sunshine: Vector = Vector(2.63, 2.07, 1.50) * direct
        let skylight: Vector = Vector(0.34, 0.44, 0.62) * upward
        let arriving: Vector = sunshine + skylight
        let color: Vector = ground(x, distance, height: height, flatness: normal.y) * arriving

        let thickness: Float = distance * distance * 0.0042 + distance * 0.012
        let haze: Float = (1 - exponential(-thickness)) * mix(1, 0.62, smoothStep(0, 1.6, height))
        let towardsSun: Float = saturate(0.5 - sideways * 0.9) * 0.75
        let air = blend(Vector(0.56, 0.67, 0.82), Vector(0.98, 0.80, 0.62), towardsSun)
        return blend(color, air, haze)
    }

    /// Returns the share of the sun that is visible from a position, 0...1.
    private func sunlight(_ x: Float, _ z: Float, height: Float) -> Float {
        let last = Self.gridSize - 1
        let gridX: Float = clamp((x + Self.side) / (2 * Self.side), 0, 0.9999) * Float(last)
        let gridZ: Float = clamp(z / Self.farthest, 0, 0.9999) * Float(last)
        let (column, row) = (Int(gridX), Int(gridZ))
        let (shareX, shareZ) = (fraction(gridX), fraction(gridZ))
        let corner = row * Self.gridSize + column
        let nearer = mix(shadows[corner], shadows[corner + 1], shareX)
        let farther = mix(shadows[corner + Self.gridSize], shadows[corner + Self.gridSize + 1], shareX)
        return smoothStep(-0.04, 0.08, height - mix(nearer, farther, shareZ))
    }

    /// Returns the color of the ground at a position. From the water up it is sand, forest, grass, rock and snow.
    /// `flatness` is 1 for level ground and 0 for a vertical wall.
    private func ground(_ x: Float, _ z: Float, height: Float, flatness: Float) -> Vector {
        let patches = noise.layer(30).fractal(x * 9, z * 9, octaves: 7)
        var color = blend(Vector(0.30, 0.26, 0.24), Vector(0.46, 0.40, 0.36), saturate(0.5 + patches))
        if height < 1.1 {
            let meadow: Float = 0.5 + 0.9 * noise.layer(31).fractal(x * 23, z * 23, octaves: 4)
            let grass = blend(Vector(0.16, 0.21, 0.09), Vector(0.30, 0.30, 0.13), saturate(meadow))
            let grassLine: Float = smoothStep(0.95, 0.35, height + 0.25 * patches)
            color = blend(color, grass, smoothStep(0.62, 0.80, flatness) * grassLine)
            let crowns: Float = saturate(0.5 + noise.layer(32).fractal(x * 55, z * 55, octaves: 3))
            let brightness: Float = 0.75 + 0.9 * crowns
            let forest: Vector = Vector(0.055, 0.10, 0.06) * brightness
            let treeLine: Float = smoothStep(0.60, 0.25, height + 0.3 * patches) * smoothStep(-0.02, 0.05, height)
            color = blend(color, forest, smoothStep(0.55, 0.72, flatness) * treeLine)
        }
        color = blend(color, Vector(0.50, 0.45, 0.36), smoothStep(0.035, 0, height))
        let snowLine: Float = smoothStep(0.60, 1, height + 0.3 * patches)
        let lying: Float = smoothStep(0.44, 0.62, flatness + 0.14 * patches)
        return blend(color, Vector(0.90, 0.92, 0.96), lying * snowLine)
    }
}
