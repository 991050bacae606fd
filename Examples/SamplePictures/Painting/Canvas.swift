import CalotypeStandard

/// The area of a picture. It converts pixels to lengths in heights of the picture, so that a scene looks the same at
/// any size.
struct Canvas: Sendable {
    let size: PixelSize
    /// The side of a pixel, as a fraction of the height of the picture.
    let pixel: Float

    init(_ size: PixelSize) {
        self.size = size
        pixel = 1 / Float(size.height)
    }

    /// Returns the distance of the center of a column to the right of the middle of the picture, in heights of the
    /// picture. Negative to the left.
    func across(_ x: Float) -> Float { (x + 0.5 - Float(size.width) * 0.5) * pixel }

    /// Returns the distance of the center of a row below the upper edge of the picture, in heights of the picture: 0 to
    /// 1.
    func down(_ y: Float) -> Float { (y + 0.5) * pixel }

    /// Returns how much of a pixel a line covers, 0 to 1. Lengths are in heights of the picture.
    /// - Parameters:
    ///   - distance: The distance of the pixel from the middle of the line.
    ///   - half: Half of the width of the line.
    func line(_ distance: Float, half: Float) -> Float {
        let soft: Float = pixel * 0.7
        return smoothStep(half + soft, half - soft, abs(distance))
    }
}
