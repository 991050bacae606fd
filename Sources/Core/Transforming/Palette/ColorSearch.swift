/// A search for the nearest color in a list.
package struct ColorSearch {
    /// The red of all colors, in vectors of eight. Unused elements have a value that is far from all colors.
    private let reds: [SIMD8<Int32>]
    /// The green of all colors, arranged like ``reds``.
    private let greens: [SIMD8<Int32>]
    /// The blue of all colors, arranged like ``reds``.
    private let blues: [SIMD8<Int32>]

    /// Creates a search in a list of colors in red, green and blue.
    package init(_ colors: [SIMD3<UInt8>]) {
        func lanes(_ channel: Int) -> [SIMD8<Int32>] {
            stride(from: 0, to: max(colors.count, 1), by: 8).map { start in
                var lane = SIMD8<Int32>(repeating: 4096)
                for index in start..<min(start + 8, colors.count) {
                    lane[index - start] = Int32(colors[index][channel])
                }
                return lane
            }
        }
        (reds, greens, blues) = (lanes(0), lanes(1), lanes(2))
    }

    /// Returns the index of the color nearest to `color`, whose channels may exceed 0...255.
    package func nearest(_ color: SIMD3<Int32>) -> Int {
        let (red, green, blue) = (
            SIMD8<Int32>(repeating: color.x), SIMD8<Int32>(repeating: color.y), SIMD8<Int32>(repeating: color.z)
        )
        var best = SIMD8<Int32>(repeating: .max)
        var places = SIMD8<Int32>()
        for index in reds.indices {
            let (x, y, z) = (reds[index] &- red, greens[index] &- green, blues[index] &- blue)
            // The weights approximate the contribution of each channel to the perceived brightness.
            let distance = x &* x &* 3 &+ y &* y &* 6 &+ z &* z
            let isNearer = distance .< best
            best.replace(with: distance, where: isNearer)
            places.replace(with: Int32(index), where: isNearer)
        }
        var lane = 0
        for other in 1..<8 where best[other] < best[lane] { lane = other }
        return Int(places[lane]) * 8 + lane
    }
}
