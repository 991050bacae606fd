/// What light meets at a place of a thing.
struct Surface {
    /// Straight out of the thing, of length 1.
    var normal: Vector
    var color: Vector
    /// How much is mirrored where one looks straight at it, 0...1.
    var mirroring: Float = 0.04
    /// How blurred mirror images are, 0...1.
    var roughness: Float = 0
    /// Whether only mirror images are seen, in the thing's color.
    var isMetal = false
}
