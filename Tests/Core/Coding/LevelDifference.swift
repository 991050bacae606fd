/// The largest differences of two pictures of equal size, in levels.
struct LevelDifference {
    /// The difference of the alphas.
    var alpha = 0.0
    /// The difference of the colors in clearly visible pixels, by default with an alpha of at least a quarter. Below
    /// that, rounding alpha to a level changes color by more than one level.
    var color = 0.0
    /// The difference of the colors times alpha, in all pixels: the visible difference on black.
    var premultiplied = 0.0

    /// Compares the red, green, blue and alpha of all pixels. `full` is the level of a full channel, and `visible` the
    /// part of it from which on a pixel is clearly visible.
    init(_ one: [Double], _ other: [Double], full: Double, visible: Double = 0.25) {
        precondition(one.count == other.count, "the pictures have \(one.count) and \(other.count) levels")
        for pixel in stride(from: 0, to: one.count, by: 4) {
            let (oneAlpha, otherAlpha) = (one[pixel + 3], other[pixel + 3])
            alpha = max(alpha, abs(oneAlpha - otherAlpha))
            let isVisible = min(oneAlpha, otherAlpha) >= full * visible
            for channel in pixel..<pixel + 3 {
                if isVisible { color = max(color, abs(one[channel] - other[channel])) }
                premultiplied = max(
                    premultiplied, abs(one[channel] * oneAlpha - other[channel] * otherAlpha) / full)
            }
        }
    }
}
