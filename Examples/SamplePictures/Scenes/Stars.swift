/// Stars, at most one in each cell of a grid.
struct Stars {
    let noise: Noise
    /// The number of cells along the picture's height.
    let cells: Float
    /// The share of cells that have a star.
    let share: Float

    /// Returns the brightness of the star at a position of the sky, 0...1.
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
