import CKernels

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// For each pixel of a line being made: which pixels of the source line it is made of, and how much of each.
///
/// The filter is Lanczos with three lobes, widened when the line gets shorter so that every source pixel counts.
/// Windows at the ends are cut off and their weights made to sum to one again. All of it in double precision; what the
/// kernels work with is derived here.
struct ResamplingWindows {
    /// One target pixel's share of the source.
    struct Window {
        /// The first source pixel.
        let start: Int
        /// One weight for each source pixel from `start` on; they sum to one.
        let weights: [Double]
        /// The source pixel after the last.
        var end: Int { start + weights.count }
    }

    let windows: [Window]

    /// Windows that map `region` of a line of `sourceLength` pixels to `targetLength` pixels.
    init(sourceLength: Int, region: Range<Double>, targetLength: Int) {
        let scale = (region.upperBound - region.lowerBound) / Double(targetLength)
        let stretch = max(scale, 1)
        let reach = 3 * stretch
        windows = (0..<targetLength).map { target in
            let center = region.lowerBound + (Double(target) + 0.5) * scale
            let start = max(0, Int((center - reach).rounded(.down)))
            let end = min(sourceLength, Int((center + reach).rounded(.up)))
            var weights = (start..<end).map { Self.lanczos3((Double($0) + 0.5 - center) / stretch) }
            var first = start
            while weights.count > 1, weights.first == 0 {
                weights.removeFirst()
                first += 1
            }
            while weights.count > 1, weights.last == 0 { weights.removeLast() }
            let sum = weights.reduce(0, +)
            return Window(start: first, weights: weights.map { $0 / sum })
        }
    }

    /// Source: C. E. Duchon, Lanczos Filtering in One and Two Dimensions, 1979.
    private static func lanczos3(_ x: Double) -> Double {
        guard abs(x) < 3 else { return 0 }
        guard abs(x) > 1e-12 else { return 1 }
        // 3 sin(3b) sin(b) / (3b)², where sin(3b) = (3 - 4 sin²(b)) sin(b): one sine instead of two.
        let third = Double.pi * x / 3
        let sine = sin(third)
        let square = sine * sine
        return square * (3 - 4 * square) / (3 * third * third)
    }

    /// The most bits after the point at which every weight still fits the kernels' 16-bit coefficients.
    private var precision: Int32 {
        let largest = windows.lazy.flatMap(\.weights).map(abs).max() ?? 1
        var precision: Int32 = 16
        while precision > 7, (largest * Double(1 << precision)).rounded() > 32_766 { precision -= 1 }
        return precision
    }

    /// Weights as fixed-point numbers that sum to one exactly, so that flat colour stays flat: what rounding one weight
    /// loses is given to the next.
    private static func quantize(_ weights: [Double], precision: Int32) -> [Int16] {
        let one = Double(1 << precision)
        var carry = 0.0
        return weights.map { weight in
            let exact = weight * one + carry
            let rounded = exact.rounded()
            carry = exact - rounded
            return Int16(rounded)
        }
    }

    /// As the 8-bit horizontal kernel wants them: windows that begin at even pixels, in groups of four taps.
    struct Horizontal8 {
        var windows: [ck_window8] = []
        var coefficients: [Int16] = []
        let precision: Int32
    }

    func horizontal8() -> Horizontal8 {
        var table = Horizontal8(precision: precision)
        // Windows of one phase have equal coefficients; kept once, they stay in the processor's nearest cache.
        var known: [[Int16]: Int32] = [:]
        for window in windows {
            let (start, groups) = Self.groups(of: window)
            var coefficients = [Int16](repeating: 0, count: window.start - start)
            coefficients += Self.quantize(window.weights, precision: table.precision)
            coefficients += repeatElement(0, count: groups * 4 - coefficients.count)
            let offset = known[coefficients] ?? Int32(table.coefficients.count)
            if known.updateValue(offset, forKey: coefficients) == nil { table.coefficients += coefficients }
            table.windows.append(ck_window8(start: Int32(start), groups: Int32(groups), offset: offset))
        }
        return table
    }

    /// Where the groups of four taps begin that cover a window, and how many they are: at a multiple of four, which
    /// reads faster, where that costs no group, else at an even pixel.
    private static func groups(of window: Window) -> (start: Int, count: Int) {
        func count(from start: Int) -> Int { (window.end - start + 3) / 4 }
        let (even, fourth) = (window.start & ~1, window.start & ~3)
        return count(from: fourth) == count(from: even) ? (fourth, count(from: fourth)) : (even, count(from: even))
    }

    /// As the 8-bit vertical kernel wants them: windows over pairs of rows.
    struct Vertical8 {
        /// For each target row: the first pair, the number of pairs, and where its coefficients are, two for each pair.
        var windows: [(pair: Int, count: Int, offset: Int)] = []
        var coefficients: [Int16] = []
        let precision: Int32
    }

    func vertical8() -> Vertical8 {
        var table = Vertical8(precision: precision)
        for window in windows {
            let pair = window.start / 2
            let count = (window.end + 1) / 2 - pair
            table.windows.append((pair, count, table.coefficients.count))
            let quantized = Self.quantize(window.weights, precision: table.precision)
            table.coefficients += repeatElement(0, count: window.start - pair * 2)
            table.coefficients += quantized
            table.coefficients += repeatElement(0, count: (pair + count) * 2 - window.end)
        }
        return table
    }

    /// As the float kernels want them.
    struct Floats {
        var windows: [ck_window_f32] = []
        var coefficients: [Float] = []
    }

    func floats() -> Floats {
        var table = Floats()
        for window in windows {
            table.windows.append(
                ck_window_f32(
                    start: Int32(window.start), taps: Int32(window.weights.count),
                    offset: Int32(table.coefficients.count)))
            table.coefficients += window.weights.map(Float.init)
        }
        return table
    }
}
