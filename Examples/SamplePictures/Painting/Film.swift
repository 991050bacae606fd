/// The effects of a camera on light: exposure, darker corners, a tone curve that keeps highlights from clipping, and
/// grain.
struct Film: Sendable {
    /// The factor by which light is multiplied.
    var exposure: Float
    /// The darkening of the corners: the share of light that is lost at a distance from the center of one height of the
    /// picture.
    var vignette: Float
    /// The exponent that is applied after the tone curve; a value below 1 brightens the shadows. If nil, neither the
    /// tone curve nor an exponent is applied.
    var gamma: Float?
    /// The largest deviation of a channel by grain, where 1 is the full range of the channel.
    var grain: Float

    /// Returns the opaque color of a pixel that receives `light`. `x` and `y` are the position of the pixel.
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

    /// Returns the value of the filmic tone curve as fitted by Krzysztof Narkowicz: nearly straight in the shadows,
    /// flat toward white. The result is 0 to 1.
    private func curve(_ value: Float) -> Float {
        let above: Float = value * (2.51 * value + 0.03)
        let below: Float = value * (2.43 * value + 0.59) + 0.14
        return saturate(above / below)
    }
}
