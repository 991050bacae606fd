/// The properties of a surface at a position.
struct Surface {
    /// The direction that points away from the surface at a right angle, of length 1.
    var normal: Vector
    var color: Vector
    /// The share of light that the surface reflects like a mirror when it is viewed at a right angle, 0...1.
    var mirroring: Float = 0.04
    /// The blur of reflections, from 0 for a mirror to 1.
    var roughness: Float = 0
    /// Whether the surface is a metal: only its reflections are visible, and they have its color.
    var isMetal = false
}
