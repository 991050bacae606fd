import CKernels

/// The windows of a resampled line. The window of a target pixel consists of the source pixels that contribute to it,
/// with their weights.
///
/// Windows at the ends of the line are cut off, and their weights are scaled to sum to one again.
package struct ResamplingWindows {
    /// The source pixels that contribute to one target pixel.
    package struct Window {
        /// The first source pixel.
        let start: Int
        /// The number of source pixels.
        let count: Int
        /// The index of the window's first weight in the list of all weights. The weights of a window sum to 1. Windows
        /// of one phase share their weights.
        let offset: Int
        /// The index of the window's phase, from 0. A phase is a position of the target pixel between source pixels.
        /// Windows at the ends of the line can have phases of their own.
        let phase: Int
        /// The source pixel after the last one of the window.
        var end: Int { start + count }
    }

    package private(set) var windows: [Window] = []
    private(set) var phaseCount = 0
    /// Whether each target pixel is an exact copy of one source pixel. Otherwise, transparent pixels lose their color.
    let areCopies: Bool
    /// The weights of all phases.
    private var weights: [Double] = []
    /// The largest absolute value of all weights.
    private var largestWeight = 0.0

    /// The distance within which a position counts as lying on the border between two pixels. Without it, rounding
    /// errors would decide whether `nearest` and `box` include a pixel.
    private static let tie = 1e-6
    /// The largest weight that is left out at the ends of a window. It changes neither 16-bit nor float results.
    private static let negligibleWeight = 1e-9

    /// Creates an empty list of windows with room for `count`.
    package init(capacity count: Int) { self.init(capacity: count, copies: false) }

    private init(capacity count: Int, copies: Bool) {
        areCopies = copies
        windows.reserveCapacity(count)
    }

    /// Creates the windows that map `region` of a line to `targetLength` pixels.
    /// - Parameter source: The pixels of the line that may contribute.
    init(source: Range<Int>, region: Range<Double>, targetLength: Int, filter: ResamplingFilter) {
        // If pixels are only copied, a filter must not blur them.
        let filter = region.isCut(of: targetLength) ? .nearest : filter
        self.init(capacity: targetLength, copies: filter == .nearest)
        let scale = (region.upperBound - region.lowerBound) / Double(targetLength)
        let stretch = max(scale, 1)
        let period = Self.period(of: scale, targetLength: targetLength)
        let step = Int((Double(period) * scale).rounded())
        // The first window of each phase. Its weights are reused, because computing weights takes much of the time for
        // small pictures.
        var firsts = [Int?](repeating: nil, count: period)
        for target in 0..<targetLength {
            let center = region.lowerBound + (Double(target) + 0.5) * scale
            let taps = Self.taps(of: filter, around: center, stretch: stretch)
            if taps.lowerBound >= source.lowerBound, taps.upperBound <= source.upperBound {
                if let first = firsts[target % period] {
                    appendTwin(of: windows[first], shiftedBy: (target - first) / period * step)
                    continue
                }
                firsts[target % period] = target
            }
            let start = min(max(taps.lowerBound, source.lowerBound), source.upperBound - 1)
            let end = max(min(taps.upperBound, source.upperBound), start + 1)
            appendWindow(of: start..<end) { weights in
                filter.appendWeights(
                    from: (Double(start) + 0.5 - center) / stretch, step: 1 / stretch, count: end - start,
                    to: &weights)
            }
        }
    }

    /// Appends a window that has the weights of `twin`, and begins `distance` source pixels after it.
    package mutating func appendTwin(of twin: Window, shiftedBy distance: Int) {
        windows.append(
            Window(start: twin.start + distance, count: twin.count, offset: twin.offset, phase: twin.phase))
    }

    /// Appends a window over the source pixels `taps`, with a new phase. Leaves out negligible weights at its ends.
    /// - Parameter appendWeights: Appends a weight for each tap. The weights are then scaled to sum to 1.
    package mutating func appendWindow(of taps: Range<Int>, _ appendWeights: (inout [Double]) -> Void) {
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

    /// Returns the weights of a window.
    func weights(of window: Window) -> ArraySlice<Double> {
        weights[window.offset..<window.offset + window.count]
    }

    /// Returns the number of target pixels after which the phases repeat, or `targetLength` if they do not repeat.
    private static func period(of scale: Double, targetLength: Int) -> Int {
        (1..<targetLength).first { count in
            let length = Double(count) * scale
            return abs(length - length.rounded()) * Double(targetLength / count) < 1e-9
        } ?? targetLength
    }

    /// Returns the source pixels around a position that can have a weight. Some of them may lie outside the line.
    private static func taps(of filter: ResamplingFilter, around center: Double, stretch: Double) -> Range<Int> {
        let reach = filter.support * stretch
        switch filter {
        case .nearest:
            let nearest = Int((center + tie).rounded(.down))
            return nearest..<nearest + 1
        case .box:
            // If pixels lie exactly at both ends of the support, only the one at the upper end counts.
            let start = Int((center - reach + 0.5 + tie).rounded(.down))
            return start..<max(Int((center + reach + 0.5 + tie).rounded(.down)), start + 1)
        case .bilinear, .mitchell, .catmullRom, .lanczos3:
            return Int((center - reach).rounded(.down))..<Int((center + reach).rounded(.up))
        }
    }

    /// The largest number of fraction bits, 7 to 16, with which every weight fits the kernels' 16-bit coefficients.
    var precision: Int32 {
        var precision: Int32 = 16
        while precision > 7, (largestWeight * Double(1 << precision)).rounded() > 32_766 { precision -= 1 }
        return precision
    }

    /// Appends `count` coefficients for a window: `lead` zeros, the weights as fixed-point numbers, and more zeros. The
    /// numbers sum to one exactly, so that an area of one color keeps that color.
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

    /// A constant for fast rounding. Adding it to a small number and subtracting it again rounds the number, because
    /// the sum has no bits for a fraction. Calling `rounded` would be slower on processors without a rounding
    /// instruction.
    private static let roundingMagic = 0x1.8p52

    /// A table of coefficients that windows of equal phase and alignment share, to stay in the processor's cache.
    struct SharedCoefficients<Value> {
        private(set) var values: [Value] = []
        private var offsets: [Int?]

        /// Creates a table with room for `count` lists of coefficients.
        init(count: Int) { offsets = Array(repeating: nil, count: count) }

        /// Returns the offset of list `index`. Calls `append` to make the list when it is first requested.
        mutating func offset(of index: Int, append: (inout [Value]) -> Void) -> Int {
            if let offset = offsets[index] { return offset }
            let offset = values.count
            offsets[index] = offset
            append(&values)
            return offset
        }
    }

    /// The windows for the 8-bit horizontal kernel. They begin at even pixels, and consist of groups of four taps.
    struct Horizontal8 {
        let windows: [ck_window8]
        let coefficients: [Int16]
        let precision: Int32
    }

    func horizontal8() -> Horizontal8 {
        let precision = precision
        let common = commonGroups
        // A packed row has at least this number of pixels.
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

    /// The number of groups of four taps that all windows get, except those near the end of the packed row. Nil if each
    /// window gets only as many as it needs.
    ///
    /// The kernel for AVX-512 reads two groups at once. It is faster with a common number that is even and small.
    private var commonGroups: Int? {
        guard ck_best_isa() == CK_AVX512 else { return nil }
        let most = windows.reduce(0) { max($0, Self.groups(of: $1).count) }
        return most <= 8 ? (most + 1) & ~1 : nil
    }

    /// Returns the first pixel of a window's groups of four taps, and the number of the groups.
    ///
    /// The window gets only as many groups as it needs if `common` is nil, or if `common` groups do not fit into the
    /// packed row. So only the last windows of a line can get fewer groups than `common`. If such a window shares
    /// coefficients, it shares those of an earlier window. The earlier window has at least as many groups, so there are
    /// enough coefficients.
    private static func groups(of window: Window, common: Int?, packedPixels: Int) -> (start: Int, count: Int) {
        let even = window.start & ~1
        guard let common, even + common * 4 <= packedPixels else { return groups(of: window) }
        let (eighth, fourth) = (window.start & ~7, window.start & ~3)
        if eighth + common * 4 >= window.end { return (eighth, common) }
        return fourth + common * 4 >= window.end ? (fourth, common) : (even, common)
    }

    /// Returns the first pixel of the groups of four taps that cover a window, and the number of the groups. The groups
    /// begin at a multiple of four if this takes no additional group, because such groups can be read faster.
    private static func groups(of window: Window) -> (start: Int, count: Int) {
        func count(from start: Int) -> Int { (window.end - start + 3) / 4 }
        let (even, fourth) = (window.start & ~1, window.start & ~3)
        return count(from: fourth) == count(from: even) ? (fourth, count(from: fourth)) : (even, count(from: even))
    }

    /// The windows for the 8-bit vertical kernel, over pairs of rows.
    struct Vertical8 {
        /// Per target row: the first pair, the number of pairs, and the offset of the coefficients (two per pair).
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

extension Range<Double> {
    /// Returns whether resampling this part of a line to `length` pixels only copies pixels.
    fileprivate func isCut(of length: Int) -> Bool {
        lowerBound == lowerBound.rounded() && upperBound - lowerBound == Double(length)
    }
}
