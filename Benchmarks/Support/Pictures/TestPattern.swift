import CalotypeStandard
import CalotypeTesting

/// Pictures that are hard to scale down.
enum TestPattern: String, CaseIterable {
    /// A random color for each pixel.
    case noise
    /// Black and white edges at all angles, finer toward the corners.
    case edges
    /// Letters of five by seven pixels.
    case text

    /// Draws the pattern at a size, with the same pixels each time.
    func pixels(size: PixelSize) throws -> PixelBuffer {
        var generator = SplitMix64(seed: 7)
        let letters = (0..<64).map { _ in UInt64.random(in: 0..<1 << 35, using: &generator) }
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: size))
        let rowBytes = builder.bytesPerRow
        builder.withUnsafeMutableBytes { (rows: UnsafeMutableRawBufferPointer) -> Void in
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let place = y * rowBytes + x * 4
                    switch self {
                    case .noise:
                        let bits = generator.next()
                        for channel in 0..<3 {
                            rows[place + channel] = UInt8(truncatingIfNeeded: bits >> (8 * channel))
                        }
                    case .edges, .text:
                        let level: UInt8 = isInk(x, y, size, letters) ? 20 : 240
                        for channel in 0..<3 { rows[place + channel] = level }
                    }
                    rows[place + 3] = 255
                }
            }
        }
        return builder.finish(isOpaque: true)
    }

    private func isInk(_ x: Int, _ y: Int, _ size: PixelSize, _ letters: [UInt64]) -> Bool {
        guard self == .text else {
            // Rings at decreasing distances: a zone plate with hard edges.
            let (left, top) = (x - size.width / 2, y - size.height / 2)
            return (left * left + top * top) / (size.width / 2) % 12 < 6
        }
        let (column, row) = (x % 6, y % 9)
        guard column < 5, row < 7 else { return false }
        let letter = letters[(x / 6 * 31 + y / 9 * 17) % letters.count]
        return letter >> UInt64(row * 5 + column) & 1 == 1
    }
}
