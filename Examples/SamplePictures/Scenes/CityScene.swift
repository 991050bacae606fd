import CalotypeStandard

/// A city behind its bridge at nightfall, reflected in the river. It has hard edges, and rows of windows so fine that a
/// bad resampler shows moiré.
struct CityScene: Scene {
    /// The distance of the edge of the river below the upper edge of the picture, in heights of the picture.
    static let shore: Float = 0.80

    let canvas: Canvas
    private let noise: Noise
    /// The houses of four rows, the nearest row first.
    private let buildings: [Building]
    private let bridge: Bridge
    private let film = Film(exposure: 1.12, vignette: 0.40, gamma: nil, grain: 0.016)

    init(size: PixelSize, noise: Noise) {
        let canvas = Canvas(size)
        self.canvas = canvas
        self.noise = noise
        buildings = [3, 2, 1, 0].flatMap { Building.row($0, noise: noise) }
        bridge = Bridge(canvas: canvas)
    }

    func color(x: Int, y: Int) -> SIMD4<Float> {
        let across = canvas.across(Float(x))
        let down = canvas.down(Float(y))
        let light = down < Self.shore ? view(across, down) : river(across, down)
        return film.developed(light, x: x, y: y, on: canvas, noise: noise)
    }

    /// Returns the light at a position above the river.
    private func view(_ across: Float, _ down: Float) -> Vector {
        for building in buildings {
            guard let light = building.light(across, down, on: canvas) else { continue }
            return bridge.drawn(over: light, across, down)
        }
        return bridge.drawn(over: sky(across, down), across, down)
    }

    /// Returns the light of the sky at a position: the glow after sunset, the night above it, clouds, the moon and
    /// stars.
    private func sky(_ across: Float, _ down: Float) -> Vector {
        let up: Float = Self.shore - down
        var light = blend(Vector(1.0, 0.52, 0.28), Vector(0.72, 0.30, 0.38), smoothStep(0.02, 0.20, up))
        light = blend(light, Vector(0.20, 0.15, 0.36), smoothStep(0.14, 0.42, up))
        light = blend(light, Vector(0.025, 0.035, 0.11), smoothStep(0.34, 0.80, up))

        let thickness = noise.layer(1).fractal(across * 2.2 + 3, down * 9, octaves: 6)
        let cloud = blend(Vector(1.0, 0.50, 0.36), Vector(0.30, 0.20, 0.36), smoothStep(0.05, 0.40, up))
        let cover: Float = 0.75 * smoothStep(0, 0.40, thickness) * smoothStep(0.58, 0.30, up)
        light = blend(light, cloud, cover)

        let radius: Float = 0.036
        let fromMoon = hypotenuse(across - 0.20, down - 0.135)
        let halo: Float = exponential(-16 * max(0, fromMoon - radius))
        light += Vector(0.19, 0.19, 0.22) * halo
        let disc = smoothStep(radius + canvas.pixel, radius - canvas.pixel, fromMoon)
        if disc > 0 {
            let seas = noise.layer(2).fractal(across * 38, down * 38, octaves: 5)
            let brightness: Float = 0.92 + 0.35 * min(0, seas + 0.05)
            let moon: Vector = Vector(1.0, 0.97, 0.90) * brightness
            return blend(light, moon, disc)
        }
        let stars = Stars(noise: noise.layer(3), cells: 110, share: 0.10 * smoothStep(0.25, 0.7, up))
        let starlight: Vector = Vector(1.0, 0.97, 0.92) * stars.brightness(across, down, pixel: canvas.pixel)
        return light + starlight
    }

    /// Returns the light of the river at a position: the mirrored view, stretched by waves that grow toward the camera.
    private func river(_ across: Float, _ down: Float) -> Vector {
        let depth: Float = down - Self.shore
        let perspective = logarithm(depth + 0.012)
        let long = noise.layer(20).fractal(across * 16, perspective * 26, octaves: 4)
        let short = noise.layer(21).fractal(across * 55, perspective * 70, octaves: 3)
        let wind = smoothStep(-0.2, 0.3, noise.layer(22).fractal(across * 3, depth * 16, octaves: 3))
        let wave: Float = (0.7 * long + 0.5 * short) * mix(0.25, 1, wind)
        let spread: Float = 0.10 * (depth + 0.015)
        var sum = Vector()
        for sample in 0..<4 {
            let offset: Float = 0.105 * (Float(sample) - 1.5)
            let mirrored: Float = Self.shore - depth - (wave + offset) * spread - 0.0006
            sum += view(across + wave * 0.006, mirrored)
        }
        let darkening: Float = 1 - 0.45 * smoothStep(0.02, 0.20, depth)
        var light: Vector = sum * Vector(0.15, 0.15, 0.165)
        light += Vector(0.010, 0.014, 0.030)
        light *= darkening
        let crest: Vector = Vector(0.054, 0.030, 0.024) * smoothStep(0.2, 0.45, wave)
        return light + crest
    }
}
