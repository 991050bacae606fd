/// The properties of a surface at a position.
struct Surface {
    /// The outward normal, of length 1.
    var normal: Vector
    var color: Vector
    /// The reflected share at perpendicular view, 0...1.
    var mirroring: Float = 0.04
    /// The blur of reflections, 0...1.
    var roughness: Float = 0
    /// Whether only reflections are visible, tinted in the surface's color.
    var isMetal = false
}
