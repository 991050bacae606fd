import CalotypeStandard

/// The plane of a picture: its pixels, and the same places in units of its height, so that a scene looks the same at
/// any size.
struct Canvas: Sendable {
    let size: PixelSize
    /// The side of a pixel, in heights of the picture.
    let pixel: Float

    init(_ size: PixelSize) {
        self.size = size
        pixel = 1 / Float(size.height)
    }

    /// How far a column's middle is from the middle of the picture; to the right is positive.
    func across(_ x: Float) -> Float { (x + 0.5 - Float(size.width) * 0.5) * pixel }

    /// How far a row's middle is below the upper edge: 0...1.
    func down(_ y: Float) -> Float { (y + 0.5) * pixel }

    /// How much of a pixel a line covers whose middle is `distance` away and which is `half` to either side.
    func line(_ distance: Float, half: Float) -> Float {
        let soft: Float = pixel * 0.7
        return smoothStep(half + soft, half - soft, abs(distance))
    }
}
