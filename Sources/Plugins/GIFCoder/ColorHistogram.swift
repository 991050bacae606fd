#if GIF
import Calotype

/// A histogram of colors: of each color while there are few, else of groups of nearly equal ones.
///
/// It takes the same memory however many pixels are added.
struct ColorHistogram {
    /// Colors that are nearly equal.
    struct Bin {
        var count = 0
        /// The sums of red, green and blue.
        var sums = SIMD3<Int>()
        /// The sum of the squares of all three.
        var squares = 0
    }

    /// The number of groups along a channel, of which five bits count.
    static let side = 32

    /// The colors, as long as they are no more than a palette has.
    private(set) var colors: Set<UInt32>? = []
    private(set) var bins = [Bin](repeating: Bin(), count: side * side * side)
    private let mostColors: Int

    /// - Parameter mostColors: How many colors a palette has.
    init(mostColors: Int) { self.mostColors = mostColors }

    /// Adds a color: red, green and blue from the lowest byte on.
    mutating func add(_ color: UInt32) {
        if colors?.insert(color).inserted == true, colors?.count ?? 0 > mostColors { colors = nil }
        let (red, green, blue) = (Int(color & 0xFF), Int(color >> 8 & 0xFF), Int(color >> 16 & 0xFF))
        let index = (red >> 3) << 10 | (green >> 3) << 5 | blue >> 3
        bins[index].count += 1
        bins[index].sums &+= SIMD3(red, green, blue)
        bins[index].squares += red * red + green * green + blue * blue
    }
}
#endif
