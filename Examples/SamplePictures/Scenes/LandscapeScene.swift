import CalotypeStandard

/// Mountains, clouds and the low sun over a lake that reflects them. The picture has large smooth areas, fine textures
/// and hard edges.
struct LandscapeScene: Scene {
    let canvas: Canvas
    private let noise: Noise
    private let terrain: Terrain
    private let pines: PineForest
    private let film = Film(exposure: 1.12, vignette: 0.22, gamma: 0.86, grain: 0.014)

    init(size: PixelSize, noise: Noise) async {
        let canvas = Canvas(size)
        self.canvas = canvas
        self.noise = noise
        terrain = await Terrain(canvas: canvas, noise: noise)
        pines = PineForest(noise: noise)
    }

    func color(x: Int, y: Int) -> SIMD4<Float> {
        var light: Vector
        let slope = terrain.slope(ofRow: y)
        let ground = terrain.distance(column: x, row: y)
        let water: Float = slope < 0 ? -Terrain.eye / slope : Terrain.farthest
        if water < Terrain.farthest, ground == 0 || ground > water {
            light = lake(x: x, y: y, distance: water, slope: slope)
        } else {
            light = view(column: Float(x), row: Float(y))
        }
        let down = canvas.down(Float(y))
        if down > 0.66, let shade = pines.color(across: canvas.across(Float(x)), down: down) { light = shade }
        return film.developed(light, x: x, y: y, on: canvas, noise: noise)
    }

    /// Returns the light at a position above the water.
    private func view(column: Float, row: Float) -> Vector {
        let nearestColumn = Int(clamp(column, 0, Float(canvas.size.width - 1)))
        let nearestRow = Int(clamp(row, 0, Float(canvas.size.height - 1)))
        let distance = terrain.distance(column: nearestColumn, row: nearestRow)
        guard distance == 0 else { return terrain.light(column: column, distance: distance) }
        return sky(across: canvas.across(column), up: Terrain.horizon - canvas.down(row))
    }

    /// Returns the light of the sky at a position, `up` above the horizon and `across` to the right of the middle, in
    /// heights of the picture.
    private func sky(across: Float, up: Float) -> Vector {
        var light = blend(Vector(1.0, 0.80, 0.58), Vector(0.46, 0.62, 0.80), smoothStep(0, 0.24, up))
        light = blend(light, Vector(0.12, 0.27, 0.52), smoothStep(0.15, 0.62, up))
        let fromSun = hypotenuse(across + 0.265, up - 0.385)
        let glow: Float = 0.50 * exponential(-5 * fromSun) + 0.9 * exponential(-22 * fromSun)
        light += Vector(1.0, 0.72, 0.40) * glow

        // Clouds lie in a plane above, so they crowd toward the horizon.
        let perspective: Float = 1 / (max(up, 0) + 0.12)
        let cloudX: Float = across * perspective * 1.1
        let cloudY: Float = perspective * 2.2
        let drift = noise.layer(70).fractal(cloudX * 0.9 + 7, cloudY * 0.9, octaves: 4)
        let placeX: Float = cloudX * 0.8 + drift * 0.9
        let placeY: Float = cloudY * 1.6 + drift * 0.6
        let thickness = noise.layer(80).fractal(placeX, placeY, octaves: 6)
        let fading: Float = 0.85 - 0.35 * smoothStep(0.3, 0.6, up)
        let cover: Float = smoothStep(-0.02, 0.42, thickness) * smoothStep(0.02, 0.14, up) * fading
        let gray: Float = saturate(0.5 + 1.6 * (thickness - 0.22))
        let cloud = blend(Vector(1.0, 0.90, 0.80), Vector(0.72, 0.70, 0.76), gray)
        light = blend(light, cloud, cover * 0.85)
        return blend(light, Vector(3.5, 3.2, 2.6), smoothStep(0.0185, 0.0165, fromSun))
    }

    /// Returns the light of the water in a pixel: the mirrored view above the horizon, distorted by ripples.
    private func lake(x: Int, y: Int, distance: Float, slope: Float) -> Vector {
        let placeX: Float = canvas.across(Float(x)) * Terrain.fieldOfView * distance
        let long = noise.layer(40).fractal(placeX * 6, distance * 26, octaves: 4)
        let short = noise.layer(41).fractal(placeX * 26 + 9, distance * 90, octaves: 3)
        let wind = smoothStep(-0.25, 0.35, noise.layer(42).fractal(placeX * 0.8, distance * 1.7, octaves: 3))
        let fading: Float = 1 / (1 + distance * 0.35)
        let ripple: Float = (long * 0.6 + short * 0.4) * mix(0.25, 1, wind) * fading

        let height = Float(canvas.size.height)
        let horizonRow: Float = Terrain.horizon * height
        let shaken: Float = (ripple * 0.030 + wind * fading * 0.006) * height
        let row: Float = 2 * horizonRow - Float(y) - 1 - shaken
        let column: Float = Float(x) + ripple * 0.010 * height
        let mirrored = view(column: column, row: min(row, horizonRow - 1))
        let grazing: Float = power(1 - saturate(-slope * 1.4), 3)
        let mirroring: Float = saturate(0.35 + 0.60 * grazing)
        let light = blend(Vector(0.03, 0.085, 0.10), mirrored, mirroring * 0.93)
        let sparkle: Vector = Vector(0.05, 0.0425, 0.03) * smoothStep(0.25, 0.6, ripple)
        return light + sparkle
    }
}
