/// Stars in the sky. Each cell of a grid contains at most one star.
struct Stars {
    let noise: Noise
    /// The number of grid cells in the height of the picture.
    let cells: Float
    /// The share of cells that contain a star, 0 to 1.
    let share: Float

    /// Returns the brightness of the stars at a position of the sky, 0...1.
    /// - Parameters:
    ///   - across: The distance to the right of the middle, in heights of the picture.
    ///   - down: The distance below the upper edge, in heights of the picture.
    ///   - pixel: The side of a pixel, in heights of the picture.
    func brightness(_ across: Float, _ down: Float, pixel: Float) -> Float {
        let column = Int((across * cells).rounded(.down))
        let row = Int((down * cells).rounded(.down))
        guard noise.uniform(column, row) < share else { return 0 }
        let starX: Float = (Float(column) + 0.2 + 0.6 * noise.layer(1).uniform(column, row)) / cells
        let starY: Float = (Float(row) + 0.2 + 0.6 * noise.layer(2).uniform(column, row)) / cells
        // Few stars are bright.
        let size: Float = 0.15 + 0.85 * power(noise.layer(3).uniform(column, row), 3)
        return size * smoothStep(1.5 * pixel + 0.0006, 0, hypotenuse(across - starX, down - starY))
    }
}
