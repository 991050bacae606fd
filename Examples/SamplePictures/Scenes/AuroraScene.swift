import CalotypeStandard

/// Northern lights over snow. The slow gradients in the dark show bands of color if a channel has only 8 bits.
struct AuroraScene: Scene {
    let canvas: Canvas
    private let noise: Noise

    init(size: PixelSize, noise: Noise) {
        canvas = Canvas(size)
        self.noise = noise
    }

    func color(x: Int, y: Int) -> SIMD4<Float> {
        let across = canvas.across(Float(x))
        let down = canvas.down(Float(y))
        let light = snow(across, down) ?? sky(across, down)
        let gamma: Float = 0.80
        return SIMD4<Float>(
            power(saturate(light.x), gamma), power(saturate(light.y), gamma), power(saturate(light.z), gamma), 1)
    }

    private func sky(_ across: Float, _ down: Float) -> Vector {
        let up: Float = 0.80 - down
        var light = blend(Vector(0.055, 0.105, 0.150), Vector(0.012, 0.022, 0.060), smoothStep(0, 0.75, up))
        for curtain in 0..<3 { light += self.curtain(curtain, across, up) }
        let stars = Stars(noise: noise.layer(20), cells: 90, share: 0.12)
        let starlight: Vector = Vector(0.9, 0.95, 1.0) * stars.brightness(across, down, pixel: canvas.pixel)
        return light + starlight
    }

    /// Returns the light that one of the three curtains of northern lights adds at a position: bright at its lower hem,
    /// green above, and violet where it fades.
    private func curtain(_ index: Int, _ across: Float, _ up: Float) -> Vector {
        let number = Float(index)
        let folds: Float = 0.085 * noise.layer(index).fractal(across * 1.9 + number * 7, 0.5, octaves: 4)
        let bend: Float = 0.11 * sine(across * 2.3 + number * 2.1 + 0.7) + folds
        let hem: Float = 0.16 + 0.10 * number + bend + 0.16 * across * (number - 1)
        let above: Float = up - hem
        let height: Float = 0.26 + 0.09 * noise.layer(9).value(across * 3 + number * 5, 0)
        let body: Float = above < 0 ? exponential(-5_200 * above * above) : exponential(-2.6 * above / height)
        let broad = noise.layer(4 + index).fractal(across * 26 + 3 * bend, up * 0.8 + number, octaves: 4)
        let narrow = noise.layer(8).value(across * 70, up * 0.6)
        let rays: Float = max(0, 0.62 + 0.38 * broad + 0.30 * narrow)
        let hue = blend(Vector(0.10, 0.95, 0.50), Vector(0.55, 0.22, 0.85), smoothStep(0.05, 0.34, above))
        let fading = smoothStep(1.1, 0.2, abs(across - 0.15 * (number - 1)))
        let brightness: Float = body * rays * fading * (0.46 - 0.10 * number)
        return hue * brightness
    }

    /// Returns the color of the two hills of snow at a position; nil above the hills.
    private func snow(_ across: Float, _ down: Float) -> Vector? {
        let color = Vector(0.035, 0.075, 0.085)
        let near: Float = 0.87 - 0.075 * noise.layer(31).fractal(across * 1.5 + 4, 2, octaves: 7)
        if down > near {
            let drifts: Float = 0.55 + 0.25 * noise.layer(32).fractal(across * 9, down * 22, octaves: 5)
            let glow: Vector = Vector(0.01, 0.06, 0.04) * smoothStep(near, 1, down)
            let lit: Vector = color * drifts
            return lit + glow
        }
        let far: Float = 0.78 - 0.055 * noise.layer(30).fractal(across * 2.4, 1, octaves: 7)
        guard down > far else { return nil }
        return color * mix(0.85, 1.5, smoothStep(0, 0.10, down - far))
    }
}
