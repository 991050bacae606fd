/// A picture that is reduced to look for its important parts.
struct PictureMap {
    let width: Int
    let height: Int
    /// Red, green, blue and alpha of each pixel, row by row, from 0 to 1.
    let colors: [SIMD4<Float>]

    /// The largest side. Smaller details seldom matter.
    private static let side = 64

    /// Reduces a picture. Throws `outOfMemory`, and `cancelled` or `timedOut` if the job ends.
    init(_ pixels: PixelBuffer, job: Job) throws(ImageError) {
        let size = pixels.size.fitting(PixelSize(Self.side, Self.side))
        let reduced = try pixels.resampled(to: size, resampling: Resampling(filter: .box), job: job)
        (width, height) = (size.width, size.height)
        colors = (0..<size.height).flatMap { y in
            (0..<size.width).map { x in reduced.color(x: x, y: y).floats }
        }
    }

    /// Returns how light a pixel is, from 0 to 1. Transparent pixels are dark. Pixels beyond the edge equal the nearest
    /// one.
    func luma(_ x: Int, _ y: Int) -> Double {
        let color = colors[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)]
        let luma = 0.2126 * color.x + 0.7152 * color.y + 0.0722 * color.z
        return Double(min(max(luma, 0), 1) * color.w)
    }

    /// Returns the offsets at which a window of a length can begin along a side, in steps of a pixel.
    static func offsets(of window: Double, along side: Int) -> [Double] {
        let free = max(0, Double(side) - window)
        return (0...Int(free.rounded(.up))).map { min(Double($0), free) }
    }
}
