/// How far two pictures of one size are apart where they are farthest, in levels.
struct LevelDifference {
    /// Between their alphas.
    var alpha = 0.0
    /// Between their colors where both are seen well: where alpha is a quarter or more, unless told. Below that,
    /// rounding alpha to a level moves color by more than one.
    var color = 0.0
    /// Between their colors times alpha, wherever they are: what is seen of them before black.
    var premultiplied = 0.0

    /// Compares red, green, blue and alpha of all pixels in turn; `full` is the level of a full channel, `visible` the
    /// part of it from which on a pixel is seen well.
    init(_ one: [Double], _ other: [Double], full: Double, visible: Double = 0.25) {
        precondition(one.count == other.count, "pictures of \(one.count) and \(other.count) levels")
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
