#if JPEG
import Calotype

extension PlanarRowSink {
    /// Returns the red, green, blue and alpha of all pixels, 0...255 and not rounded. Chroma is enlarged as in
    /// libjpeg-turbo; Y, Cb and Cr are interpreted as in JFIF.
    /// - Parameter isSmooth: Whether chroma samples are interpolated; otherwise they are repeated.
    func levels(isSmooth: Bool) -> [Double] {
        guard let layout else { return [] }
        guard let chromaSize = layout.chromaSize else {
            return planes[0].flatMap { [Double($0), Double($0), Double($0), 255] }
        }
        let columns = Self.shares(layout.size.width, of: chromaSize.width, isSmooth: isSmooth)
        let rows = Self.shares(layout.size.height, of: chromaSize.height, isSmooth: isSmooth)
        func chroma(_ plane: [UInt8], _ x: Int, _ y: Int) -> Double {
            var sum = -128.0
            for row in rows[y] {
                for column in columns[x] {
                    sum += Double(plane[row.place * chromaSize.width + column.place]) * row.weight * column.weight
                }
            }
            return sum
        }
        var levels: [Double] = []
        for y in 0..<layout.size.height {
            for x in 0..<layout.size.width {
                let luma = Double(planes[0][y * layout.size.width + x])
                let (blue, red) = (chroma(planes[1], x, y), chroma(planes[2], x, y))
                // Source: JFIF 1.02, "Conversion to and from RGB", to more digits: ITU-R BT.601.
                let colors = [luma + 1.402 * red, luma - 0.344136 * blue - 0.714136 * red, luma + 1.772 * blue]
                levels += colors.map { min(max($0, 0), 255) } + [255]
            }
        }
        return levels
    }

    /// Returns, for each position of a line of `length`, the samples of a line of `count` that contribute to it, and
    /// their weights.
    private static func shares(_ length: Int, of count: Int, isSmooth: Bool) -> [[(place: Int, weight: Double)]] {
        (0..<length).map { place in
            guard count < length else { return [(place, 1)] }
            guard isSmooth else { return [(place / 2, 1)] }
            let neighbor = place.isMultiple(of: 2) ? place / 2 - 1 : place / 2 + 1
            return [(place / 2, 0.75), (min(max(neighbor, 0), count - 1), 0.25)]
        }
    }
}
#endif
