import CalotypeStandard

/// The plane of a picture. It converts pixels to units of the picture's height, so that a scene looks the same at any
/// size.
struct Canvas: Sendable {
    let size: PixelSize
    /// The side of a pixel, in heights of the picture.
    let pixel: Float

    init(_ size: PixelSize) {
        self.size = size
        pixel = 1 / Float(size.height)
    }

    /// Returns the horizontal distance of a column's center from the middle of the picture; positive to the right.
    func across(_ x: Float) -> Float { (x + 0.5 - Float(size.width) * 0.5) * pixel }

    /// Returns the distance of a row's center below the upper edge, 0...1.
    func down(_ y: Float) -> Float { (y + 0.5) * pixel }

    /// Returns the coverage of a pixel by a line at `distance`, which extends `half` to either side.
    func line(_ distance: Float, half: Float) -> Float {
        let soft: Float = pixel * 0.7
        return smoothStep(half + soft, half - soft, abs(distance))
    }
}
