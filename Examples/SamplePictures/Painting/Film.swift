/// The effects of a camera on light: exposure, vignetting, a tone curve that keeps highlights from clipping, and grain.
struct Film: Sendable {
    var exposure: Float
    /// The darkening of the corners.
    var vignette: Float
    /// The exponent after the tone curve; a value below 1 brightens the shadows. nil for no tone curve at all.
    var gamma: Float?
    /// The largest deviation of a channel, of 1.
    var grain: Float

    /// Returns the opaque color of a pixel.
    func developed(_ light: Vector, x: Int, y: Int, on canvas: Canvas, noise: Noise) -> SIMD4<Float> {
        let across = canvas.across(Float(x))
        let down: Float = canvas.down(Float(y)) - 0.5
        let falloff: Float = 1 - vignette * (across * across + down * down)
        var color: Vector = light * (exposure * falloff)
        if let gamma {
            color = Vector(
                power(curve(color.x), gamma), power(curve(color.y), gamma), power(curve(color.z), gamma))
        }
        let speck: Float = noise.layer(99).uniform(x, y) + noise.layer(98).uniform(x, y) - 1
        let off: Float = speck * grain
        return SIMD4<Float>(color.x + off, color.y + off, color.z + off, 1)
    }

    /// The filmic tone curve as fitted by Krzysztof Narkowicz: straight in the shadows, flat toward white.
    private func curve(_ value: Float) -> Float {
        let above: Float = value * (2.51 * value + 0.03)
        let below: Float = value * (2.43 * value + 0.59) + 0.14
        return saturate(above / below)
    }
}
