import CKernels

/// For each pixel of a line being made: which pixels of the source line it is made of, and how much of each.
///
/// The filter is widened when the line gets shorter so that every source pixel counts. Windows at the ends are cut off
/// and their weights made to sum to one again. All of it in double precision; what the kernels work with is derived
/// here.
struct ResamplingWindows {
    /// One target pixel's share of the source.
    struct Window {
        /// The first source pixel.
        let start: Int
        /// One weight for each source pixel from `start` on; they sum to one.
        let weights: [Double]
        /// Windows of one phase have the same weights; numbered from 0.
        let phase: Int
        /// The source pixel after the last.
        var end: Int { start + weights.count }
    }

    let windows: [Window]
    let phaseCount: Int
    /// The largest weight of all, without its sign.
    private let largestWeight: Double

    /// A place this close to where two pixels meet is taken for the place where they do: `nearest` and `box` take a
    /// pixel or leave it, and what rounding adds to a place must not decide.
    private static let tie = 1e-6
    /// Weights below this at a window's ends are left out: neither 16 bits nor a float would show them.
    private static let negligibleWeight = 1e-9

    /// These windows, of phases below `phaseCount`.
    init(windows: [Window], phaseCount: Int) {
        self.windows = windows
        self.phaseCount = phaseCount
        var largestWeight = 0.0
        for window in windows {
            for weight in window.weights { largestWeight = max(largestWeight, abs(weight)) }
        }
        self.largestWeight = largestWeight
    }

    /// Windows that map `region` of a line of `sourceLength` pixels to `targetLength` pixels.
    init(sourceLength: Int, region: Range<Double>, targetLength: Int, filter: ResamplingFilter) {
        // Where there is nothing to resample, a filter that blurs must not.
        let filter = region.isCut(of: targetLength) ? .nearest : filter
        let scale = (region.upperBound - region.lowerBound) / Double(targetLength)
        let stretch = max(scale, 1)
        let period = Self.period(of: scale, targetLength: targetLength)
        let step = Int((Double(period) * scale).rounded())
        // The first window of each phase. Computing weights takes long beside small pictures.
        var firsts = [Int?](repeating: nil, count: period)
        var windows: [Window] = []
        windows.reserveCapacity(targetLength)
        var phaseCount = 0
        for target in 0..<targetLength {
            let center = region.lowerBound + (Double(target) + 0.5) * scale
            let taps = Self.taps(of: filter, around: center, stretch: stretch)
            if taps.lowerBound >= 0, taps.upperBound <= sourceLength {
                if let first = firsts[target % period] {
                    let (twin, start) = (windows[first], windows[first].start + (target - first) / period * step)
                    windows.append(Window(start: start, weights: twin.weights, phase: twin.phase))
                    continue
                }
                firsts[target % period] = target
            }
            let start = min(max(taps.lowerBound, 0), sourceLength - 1)
            let end = max(min(taps.upperBound, sourceLength), start + 1)
            windows.append(
                Self.window(of: start..<end, phase: phaseCount) {
                    filter.weight(at: (Double($0) + 0.5 - center) / stretch)
                })
            phaseCount += 1
        }
        self.init(windows: windows, phaseCount: phaseCount)
    }

    /// After how many target pixels the places between source pixels come again; `targetLength` if they do not.
    private static func period(of scale: Double, targetLength: Int) -> Int {
        (1..<targetLength).first { count in
            let length = Double(count) * scale
            return abs(length - length.rounded()) * Double(targetLength / count) < 1e-9
        } ?? targetLength
    }

    /// The source pixels around a place that the filter may give weight; some may lie beyond the line.
    private static func taps(of filter: ResamplingFilter, around center: Double, stretch: Double) -> Range<Int> {
        let reach = filter.support * stretch
        switch filter {
        case .nearest:
            let nearest = Int((center + tie).rounded(.down))
            return nearest..<nearest + 1
        case .box:
            // Of two pixels at both ends of the support, the second one counts.
            let start = Int((center - reach + 0.5 + tie).rounded(.down))
            return start..<max(Int((center + reach + 0.5 + tie).rounded(.down)), start + 1)
        case .bilinear, .mitchell, .catmullRom, .lanczos3:
            return Int((center - reach).rounded(.down))..<Int((center + reach).rounded(.up))
        }
    }

    /// The window that gives each pixel of `taps` its weight, but for pixels at the ends that have next to none.
    private static func window(of taps: Range<Int>, phase: Int, weight: (Int) -> Double) -> Window {
        let weights = taps.map(weight)
        let first = weights.firstIndex { abs($0) > negligibleWeight } ?? 0
        let last = weights.lastIndex { abs($0) > negligibleWeight } ?? weights.count - 1
        let kept = weights[first...last]
        let sum = kept.reduce(0, +)
        return Window(start: taps.lowerBound + first, weights: kept.map { $0 / sum }, phase: phase)
    }

    /// The most bits after the point at which every weight still fits the kernels' 16-bit coefficients.
    var precision: Int32 {
        var precision: Int32 = 16
        while precision > 7, (largestWeight * Double(1 << precision)).rounded() > 32_766 { precision -= 1 }
        return precision
    }

    /// Weights as fixed-point numbers that sum to one exactly, so that flat colour stays flat: what rounding one weight
    /// loses is given to the next.
    static func quantize(_ weights: [Double], precision: Int32) -> [Int16] {
        let one = Double(1 << precision)
        var carry = 0.0
        return weights.map { weight in
            let exact = weight * one + carry
            let rounded = exact.rounded()
            carry = exact - rounded
            return Int16(rounded)
        }
    }

    /// Coefficients of windows, kept once for each phase and way to align it: so they stay in the processor's nearest
    /// cache.
    private struct SharedCoefficients<Value> {
        private(set) var values: [Value] = []
        private var offsets: [Int?]

        /// Room for `count` lists of coefficients.
        init(count: Int) { offsets = Array(repeating: nil, count: count) }

        /// Where list `index` begins, made when it is first asked for.
        mutating func offset(of index: Int, make: () -> [Value]) -> Int {
            if let offset = offsets[index] { return offset }
            let offset = values.count
            offsets[index] = offset
            values += make()
            return offset
        }
    }

    /// `count` coefficients of a window, `lead` zeros in front.
    private static func padded(_ window: Window, lead: Int, count: Int, precision: Int32) -> [Int16] {
        var coefficients = [Int16](repeating: 0, count: lead)
        coefficients += quantize(window.weights, precision: precision)
        coefficients += repeatElement(0, count: count - coefficients.count)
        return coefficients
    }

    /// As the 8-bit horizontal kernel wants them: windows that begin at even pixels, in groups of four taps.
    struct Horizontal8 {
        let windows: [ck_window8]
        let coefficients: [Int16]
        let precision: Int32
    }

    func horizontal8() -> Horizontal8 {
        let precision = precision
        var shared = SharedCoefficients<Int16>(count: phaseCount * 4)
        let aligned = windows.map { window in
            let (start, groups) = Self.groups(of: window)
            let lead = window.start - start
            let offset = shared.offset(of: window.phase * 4 + lead) {
                Self.padded(window, lead: lead, count: groups * 4, precision: precision)
            }
            return ck_window8(start: Int32(start), groups: Int32(groups), offset: Int32(offset))
        }
        return Horizontal8(windows: aligned, coefficients: shared.values, precision: precision)
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
        let windows: [(pair: Int, count: Int, offset: Int)]
        let coefficients: [Int16]
        let precision: Int32
    }

    func vertical8() -> Vertical8 {
        let precision = precision
        var shared = SharedCoefficients<Int16>(count: phaseCount * 2)
        let paired = windows.map { window in
            let pair = window.start / 2
            let count = (window.end + 1) / 2 - pair
            let lead = window.start - pair * 2
            let offset = shared.offset(of: window.phase * 2 + lead) {
                Self.padded(window, lead: lead, count: count * 2, precision: precision)
            }
            return (pair: pair, count: count, offset: offset)
        }
        return Vertical8(windows: paired, coefficients: shared.values, precision: precision)
    }

    /// As the float kernels want them.
    struct Floats {
        let windows: [ck_window_f32]
        let coefficients: [Float]
    }

    func floats() -> Floats {
        var shared = SharedCoefficients<Float>(count: phaseCount)
        let placed = windows.map { window in
            let offset = shared.offset(of: window.phase) { window.weights.map(Float.init) }
            return ck_window_f32(
                start: Int32(window.start), taps: Int32(window.weights.count), offset: Int32(offset))
        }
        return Floats(windows: placed, coefficients: shared.values)
    }
}
