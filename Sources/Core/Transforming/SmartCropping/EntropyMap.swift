#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The lightness of the pixels of a picture, in steps, of which a part can have many or few.
///
/// Source: C. E. Shannon, "A Mathematical Theory of Communication", 1948.
struct EntropyMap {
    private let width: Int
    private let height: Int
    /// The step of each pixel, row by row.
    private let steps: [Int]
    private static let stepCount = 64

    init(_ map: PictureMap) {
        (width, height) = (map.width, map.height)
        steps = (0..<map.height).flatMap { y in
            (0..<map.width).map { x in min(Int(map.luma(x, y) * Double(Self.stepCount)), Self.stepCount - 1) }
        }
    }

    /// Returns the place of the window with the largest entropy, and of these the one nearest to the middle.
    func origin(of window: (width: Double, height: Double), job: Job) throws(ImageError) -> (x: Double, y: Double) {
        func length(_ exact: Double, of side: Int) -> Int { min(max(Int(exact.rounded()), 1), side) }
        let size = (width: length(window.width, of: width), height: length(window.height, of: height))
        var best: (entropy: Double, distance: Int, x: Int, y: Int)?
        for y in 0...height - size.height {
            try job.check()
            let rows = y..<y + size.height
            var counts = [Int](repeating: 0, count: Self.stepCount)
            for x in 0..<size.width { count(x, rows, 1, &counts) }
            for x in 0...width - size.width {
                if x > 0 {
                    count(x - 1, rows, -1, &counts)
                    count(x + size.width - 1, rows, 1, &counts)
                }
                let entropy = Self.entropy(of: counts, size.width * size.height)
                let distance = abs(2 * x + size.width - width) + abs(2 * y + size.height - height)
                if let best {
                    // A rounding error does not make a difference.
                    guard entropy > best.entropy + 1e-9 || entropy > best.entropy - 1e-9 && distance < best.distance
                    else { continue }
                }
                best = (entropy, distance, x, y)
            }
        }
        return (Double(best?.x ?? 0), Double(best?.y ?? 0))
    }

    /// Adds a number for each pixel of a column.
    private func count(_ x: Int, _ rows: Range<Int>, _ number: Int, _ counts: inout [Int]) {
        for y in rows { counts[steps[y * width + x]] += number }
    }

    /// Returns the entropy of some pixels, in bits for each pixel.
    private static func entropy(of counts: [Int], _ pixelCount: Int) -> Double {
        counts.reduce(0) { sum, count in
            guard count > 0 else { return sum }
            let share = Double(count) / Double(pixelCount)
            return sum - share * log2(share)
        }
    }
}
