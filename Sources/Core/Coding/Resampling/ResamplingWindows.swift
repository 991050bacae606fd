import CKernels

/// The source pixels, and their weights, for each pixel of a line to make.
///
/// The filter is widened when the line gets shorter so that every source pixel counts. Windows at the ends are cut off
/// and their weights made to sum to one again. All of it in double precision; what the kernels work with is derived
/// here.
struct ResamplingWindows {
    /// One target pixel's share of the source.
    struct Window {
        /// The first source pixel, and how many there are.
        let start: Int
        let count: Int
        /// The offset of the weights of the window's phase, one for each of these pixels; they sum to one.
        let offset: Int
        /// Windows of one phase have the same weights; numbered from 0.
        let phase: Int
        /// The source pixel after the last.
        var end: Int { start + count }
    }

    private(set) var windows: [Window] = []
    private(set) var phaseCount = 0
    /// The weights of all phases.
    private var weights: [Double] = []
    /// The largest weight of all, without its sign.
    private var largestWeight = 0.0

    /// A place this close to where two pixels meet is taken for the place where they do: `nearest` and `box` take a
    /// pixel or leave it, and what rounding adds to a place must not decide.
    private static let tie = 1e-6
    /// Weights below this at a window's ends are left out: neither 16 bits nor a float would show them.
    private static let negligibleWeight = 1e-9

    /// No windows yet; room for `count`.
    init(capacity count: Int) {
        windows.reserveCapacity(count)
    }

    /// Windows that map `region` of a line of `sourceLength` pixels to `targetLength` pixels.
    init(sourceLength: Int, region: Range<Double>, targetLength: Int, filter: ResamplingFilter) {
        self.init(capacity: targetLength)
        // Where there is nothing to resample, a filter that blurs must not.
        let filter = region.isCut(of: targetLength) ? .nearest : filter
        let scale = (region.upperBound - region.lowerBound) / Double(targetLength)
        let stretch = max(scale, 1)
        let period = Self.period(of: scale, targetLength: targetLength)
        let step = Int((Double(period) * scale).rounded())
        // The first window of each phase. Computing weights takes long beside small pictures.
        var firsts = [Int?](repeating: nil, count: period)
        for target in 0..<targetLength {
            let center = region.lowerBound + (Double(target) + 0.5) * scale
            let taps = Self.taps(of: filter, around: center, stretch: stretch)
            if taps.lowerBound >= 0, taps.upperBound <= sourceLength {
                if let first = firsts[target % period] {
                    appendTwin(of: windows[first], shiftedBy: (target - first) / period * step)
                    continue
                }
                firsts[target % period] = target
            }
            let start = min(max(taps.lowerBound, 0), sourceLength - 1)
            let end = max(min(taps.upperBound, sourceLength), start + 1)
            appendWindow(of: start..<end) { weights in
                filter.appendWeights(
                    from: (Double(start) + 0.5 - center) / stretch, step: 1 / stretch, count: end - start,
                    to: &weights)
            }
        }
    }

    /// Adds a window with the weights of another.
    mutating func appendTwin(of twin: Window, shiftedBy distance: Int) {
        windows.append(
            Window(start: twin.start + distance, count: twin.count, offset: twin.offset, phase: twin.phase))
    }

    /// Adds a window of a phase of its own that gives each pixel of `taps` its weight, but for those at the ends that
    /// have next to none.
    /// - Parameter appendWeights: Appends a weight for each tap, of whatever sum.
    mutating func appendWindow(of taps: Range<Int>, _ appendWeights: (inout [Double]) -> Void) {
        let offset = weights.count
        appendWeights(&weights)
        var (first, end) = (offset, weights.count)
        while first + 1 < end, abs(weights[first]) <= Self.negligibleWeight { first += 1 }
        while first + 1 < end, abs(weights[end - 1]) <= Self.negligibleWeight { end -= 1 }
        weights.removeLast(weights.count - end)
        var sum = 0.0
        for index in first..<end { sum += weights[index] }
        for index in first..<end {
            weights[index] /= sum
            largestWeight = max(largestWeight, abs(weights[index]))
        }
        windows.append(
            Window(start: taps.lowerBound + first - offset, count: end - first, offset: first, phase: phaseCount))
        phaseCount += 1
    }

    /// The weights of a window.
    func weights(of window: Window) -> ArraySlice<Double> {
        weights[window.offset..<window.offset + window.count]
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

    /// The most bits after the point at which every weight still fits the kernels' 16-bit coefficients.
    var precision: Int32 {
        var precision: Int32 = 16
        while precision > 7, (largestWeight * Double(1 << precision)).rounded() > 32_766 { precision -= 1 }
        return precision
    }

    /// Appends a window's weights as fixed-point numbers that sum to one exactly, so that flat colour stays flat: what
    /// rounding one weight loses is given to the next. `lead` zeros before them, and zeros behind them up to `count`.
    func appendQuantized(
        _ window: Window, lead: Int, count: Int, precision: Int32, to coefficients: inout [Int16]
    ) {
        let one = Double(1 << precision)
        var carry = 0.0
        for _ in 0..<lead { coefficients.append(0) }
        for weight in weights(of: window) {
            let exact = weight * one + carry
            let rounded = (exact + Self.roundingMagic) - Self.roundingMagic
            carry = exact - rounded
            coefficients.append(Int16(rounded))
        }
        for _ in lead + window.count..<count { coefficients.append(0) }
    }

    /// Added to a small number it leaves no bits behind the point, and taken away again it leaves the whole number:
    /// without the library call that `rounded` is on processors that may lack an instruction for it.
    private static let roundingMagic = 0x1.8p52

    /// Coefficients of windows, kept once for each phase and way to align it: so they stay in the processor's nearest
    /// cache.
    struct SharedCoefficients<Value> {
        private(set) var values: [Value] = []
        private var offsets: [Int?]

        /// Room for `count` lists of coefficients.
        init(count: Int) { offsets = Array(repeating: nil, count: count) }

        /// Returns the offset of list `index`, which `append` makes when it is first asked for.
        mutating func offset(of index: Int, append: (inout [Value]) -> Void) -> Int {
            if let offset = offsets[index] { return offset }
            let offset = values.count
            offsets[index] = offset
            append(&values)
            return offset
        }
    }

    /// The windows for the 8-bit horizontal kernel, which begin at even pixels, in groups of four taps.
    struct Horizontal8 {
        let windows: [ck_window8]
        let coefficients: [Int16]
        let precision: Int32
    }

    func horizontal8() -> Horizontal8 {
        let precision = precision
        let common = commonGroups
        // A packed row has at least as many pixels.
        let packedPixels = ck_resize_packed_pixels(windows.last?.end ?? 0)
        var shared = SharedCoefficients<Int16>(count: phaseCount * 8)
        let aligned = windows.map { window in
            let (start, groups) = Self.groups(of: window, common: common, packedPixels: packedPixels)
            let lead = window.start - start
            let offset = shared.offset(of: window.phase * 8 + lead) {
                appendQuantized(window, lead: lead, count: groups * 4, precision: precision, to: &$0)
            }
            return ck_window8(start: Int32(start), groups: Int32(groups), offset: Int32(offset))
        }
        return Horizontal8(windows: aligned, coefficients: shared.values, precision: precision)
    }

    /// The number of groups that all windows get, an even number; nil if each window gets as few as it needs. The
    /// kernel for AVX-512 reads two groups at once and is faster with more groups than with windows that differ, as
    /// long as they are few; the other kernels are not.
    private var commonGroups: Int? {
        guard ck_best_isa() == CK_AVX512 else { return nil }
        let most = windows.reduce(0) { max($0, Self.groups(of: $1).count) }
        return most <= 8 ? (most + 1) & ~1 : nil
    }

    /// Returns the first pixel and the number of a window's groups: `common` groups if they end within the packed row,
    /// begin at a multiple of eight or else of four, and cover the window; otherwise as few as it needs.
    ///
    /// Only the last windows of a line have fewer. They come after those whose coefficients they share, so that there
    /// are always enough.
    private static func groups(of window: Window, common: Int?, packedPixels: Int) -> (start: Int, count: Int) {
        let even = window.start & ~1
        guard let common, even + common * 4 <= packedPixels else { return groups(of: window) }
        let (eighth, fourth) = (window.start & ~7, window.start & ~3)
        if eighth + common * 4 >= window.end { return (eighth, common) }
        return fourth + common * 4 >= window.end ? (fourth, common) : (even, common)
    }

    /// Returns the first pixel and the number of the groups of four taps that cover a window. They begin at a multiple
    /// of four, which reads faster, if that costs no group, otherwise at an even pixel.
    private static func groups(of window: Window) -> (start: Int, count: Int) {
        func count(from start: Int) -> Int { (window.end - start + 3) / 4 }
        let (even, fourth) = (window.start & ~1, window.start & ~3)
        return count(from: fourth) == count(from: even) ? (fourth, count(from: fourth)) : (even, count(from: even))
    }

    /// The windows for the 8-bit vertical kernel, over pairs of rows.
    struct Vertical8 {
        /// For each target row, the first pair, the number of pairs, and the offset of its coefficients, two for each
        /// pair.
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
                appendQuantized(window, lead: lead, count: count * 2, precision: precision, to: &$0)
            }
            return (pair: pair, count: count, offset: offset)
        }
        return Vertical8(windows: paired, coefficients: shared.values, precision: precision)
    }

    /// The windows for the float kernels.
    struct Floats {
        let windows: [ck_window_f32]
        let coefficients: [Float]
    }

    func floats() -> Floats {
        var shared = SharedCoefficients<Float>(count: phaseCount)
        let placed = windows.map { window in
            let offset = shared.offset(of: window.phase) { values in
                for weight in weights(of: window) { values.append(Float(weight)) }
            }
            return ck_window_f32(start: Int32(window.start), taps: Int32(window.count), offset: Int32(offset))
        }
        return Floats(windows: placed, coefficients: shared.values)
    }
}
