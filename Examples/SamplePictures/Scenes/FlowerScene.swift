import CalotypeStandard

/// A flower of glass petals among bubbles, on a transparent background. It has every degree of alpha, and soft and hard
/// edges. An animation can show how the flower opens.
struct FlowerScene: Scene {
    private struct Bubble {
        let x: Float
        let y: Float
        let radius: Float
        let color: Vector
    }

    private struct Petal {
        let cosine: Float
        let sine: Float
        let length: Float
        let width: Float
        let inner: Vector
        let outer: Vector
    }

    let canvas: Canvas
    private let noise: Noise
    private let bubbles: [Bubble]
    /// The petals, in the order in which they are drawn: from the lowest to the highest.
    private let petals: [Petal]

    /// Creates the scene.
    /// - Parameters:
    ///   - size: The size of the picture, in pixels.
    ///   - noise: The random numbers.
    ///   - openness: The degree to which the flower is open, from 0 for a bud to 1 for fully open.
    init(size: PixelSize, noise: Noise, openness: Float = 1) {
        canvas = Canvas(size)
        self.noise = noise
        bubbles = (0..<26).map { Self.bubble($0, noise: noise) }
        petals = (0..<3).flatMap { ring in
            // The outer petals open first.
            let share = smoothStep(Float(ring) * 0.1, 0.8 + Float(ring) * 0.1, openness)
            return (0..<9 - ring).map { Self.petal($0, ring: ring, openness: mix(0.25, 1, share)) }
        }
    }

    func color(x: Int, y: Int) -> SIMD4<Float> {
        let across = canvas.across(Float(x))
        let down: Float = canvas.down(Float(y)) - 0.5
        var layers = Layers()

        // A shadow on the transparent ground.
        let shadowX: Float = across / 0.36
        let shadowY: Float = (down - 0.405) / 0.05
        let shadow: Float = exponential(-2.2 * (shadowX * shadowX + shadowY * shadowY))
        layers.put(Vector(0.02, 0.02, 0.06), alpha: 0.38 * shadow)
        for bubble in bubbles { put(bubble, on: &layers, across, down) }
        for petal in petals { put(petal, on: &layers, across, down) }
        putHeart(on: &layers, across, down)
        return layers.color
    }

    /// The composite of several colors, which are added from the lowest to the highest.
    private struct Layers {
        private var premultiplied = Vector()
        private var alpha: Float = 0

        mutating func put(_ color: Vector, alpha added: Float) {
            let share = saturate(added)
            premultiplied = blend(premultiplied, color, share)
            alpha = mix(alpha, 1, share)
        }

        /// The composite color. Its alpha is not premultiplied. A nearly transparent color is zero.
        var color: SIMD4<Float> {
            guard alpha > 0.0005 else { return SIMD4<Float>() }
            let straight: Vector = premultiplied / alpha
            return SIMD4<Float>(straight.x, straight.y, straight.z, alpha)
        }
    }

    /// Returns a color of the rainbow. `place` goes from 0 for red through all colors to 1, which is red again.
    private static func rainbow(_ place: Float) -> Vector {
        func channel(_ offset: Float) -> Float { 0.5 + 0.5 * cosine(2 * Float.pi * (place - offset)) }
        return Vector(channel(0), channel(0.33), channel(0.67))
    }

    private static func bubble(_ index: Int, noise: Noise) -> Bubble {
        let angle: Float = 2 * Float.pi * noise.uniform(index, 1)
        let distance: Float = 0.36 + 0.30 * noise.uniform(index, 2)
        let size: Float = noise.uniform(index, 3) * noise.uniform(index, 4)
        return Bubble(
            x: distance * 1.25 * cosine(angle), y: distance * 0.72 * sine(angle), radius: 0.014 + 0.050 * size,
            color: rainbow(0.52 + 0.40 * noise.uniform(index, 5)))
    }

    private static func petal(_ index: Int, ring: Int, openness: Float) -> Petal {
        let (ringNumber, count) = (Float(ring), Float(9 - ring))
        let turn: Float = ringNumber * 0.13 + (ring == 1 ? 0.5 : 0)
        let angle: Float = 2 * Float.pi * (Float(index) + turn) / count + 0.2
        let inner: Float = 0.80 + 0.07 * ringNumber + 0.10 * sine(angle + 1)
        let outer: Float = 0.98 + 0.06 * ringNumber + 0.08 * sine(angle)
        return Petal(
            cosine: cosine(angle), sine: sine(angle), length: openness * (0.44 - 0.105 * ringNumber),
            width: openness * (0.105 - 0.018 * ringNumber), inner: rainbow(inner), outer: rainbow(outer))
    }

    private func put(_ bubble: Bubble, on layers: inout Layers, _ across: Float, _ down: Float) {
        let x: Float = (across - bubble.x) / bubble.radius
        let y: Float = (down - bubble.y) / bubble.radius
        let distance = hypotenuse(x, y)
        guard distance < 1.2 else { return }
        let soft: Float = canvas.pixel / bubble.radius
        let inside = smoothStep(1 + soft, 1 - soft, distance)
        let rim: Float = 0.10 + 0.55 * power(distance, 4)
        layers.put(blend(bubble.color, Vector(1, 1, 1), 0.35), alpha: inside * rim)
        let shine = hypotenuse(x + 0.38, y + 0.42)
        layers.put(Vector(1, 1, 1), alpha: 0.85 * exponential(-18 * shine * shine))
    }

    private func put(_ petal: Petal, on layers: inout Layers, _ across: Float, _ down: Float) {
        let along: Float = (across * petal.cosine + down * petal.sine) / petal.length
        guard along >= 0, along <= 1.02 else { return }
        let aside: Float = down * petal.cosine - across * petal.sine
        let fullness = sine(Float.pi * power(saturate(along), 1.35))
        let half: Float = petal.width * power(saturate(fullness), 0.75) + 0.00001
        let fromVein = abs(aside)
        let soft: Float = 1.2 * canvas.pixel
        let end = smoothStep(1 + 2 * canvas.pixel, 1 - 8 * canvas.pixel, along)
        let cover: Float = smoothStep(half + soft, half - soft, fromVein) * end
        guard cover > 0 else { return }

        let toRim: Float = fromVein / half
        var color = blend(petal.inner, petal.outer, smoothStep(0.1, 0.95, along))
        let lightSide: Float = aside < 0 ? 0.22 * smoothStep(0.35, 1, toRim) : 0
        color = blend(color, Vector(1, 1, 1), 0.16 + lightSide)
        let ribs: Float = 0.97 + 0.03 * sine(toRim * 16 + along * 4)
        let vein: Float = 1 - 0.133 * smoothStep(0.02, 0, fromVein)
        let shade: Float = ribs * vein
        color *= shade
        let rim: Float = 0.72 + 0.28 * smoothStep(0.4, 1, toRim)
        let thinning = mix(0.88, 0.30, smoothStep(0.15, 1, along))
        layers.put(color, alpha: cover * rim * thinning)
    }

    private func putHeart(on layers: inout Layers, _ across: Float, _ down: Float) {
        let distance = hypotenuse(across, down)
        let position: Float = distance / 0.075
        let fringe: Float = position + 0.03 * sine(34 * direction(down, across))
        let inside = smoothStep(1 + 12 * canvas.pixel, 1 - 12 * canvas.pixel, fringe)
        if inside > 0 {
            let pollen: Float = 0.5 * noise.layer(7).fractal(across * 90, down * 90, octaves: 4)
            let depth = saturate(position * position + pollen)
            layers.put(blend(Vector(1.0, 0.86, 0.35), Vector(0.86, 0.38, 0.10), depth), alpha: inside)
        }
        layers.put(Vector(1.0, 0.92, 0.7), alpha: 0.40 * exponential(-120 * distance * distance))
    }
}
