extension ResamplingWindows {
    /// Converts these windows over an enlarged line to windows with the same result over the original line of `count`
    /// samples.
    ///
    /// The enlargement is assumed to be that of libjpeg for chroma ("fancy upsampling"): each sample becomes two. Each
    /// of the two is three quarters of the original sample and one quarter of the neighbor on its side. At the ends of
    /// the line, a sample without such a neighbor equals the original sample.
    func overHalf(_ count: Int) -> ResamplingWindows {
        var halved = ResamplingWindows(capacity: windows.count)
        // Windows of one phase that all begin at even samples, or all at odd ones, share weights, except at the ends.
        var firsts = [Int?](repeating: nil, count: phaseCount * 2)
        for (index, window) in windows.enumerated() {
            let start = max(0, (window.start - 1) >> 1)
            if window.start > 0, window.end < count * 2 {
                let phase = window.phase * 2 + (window.start & 1)
                if let first = firsts[phase] {
                    let distance = start - max(0, (windows[first].start - 1) >> 1)
                    halved.appendTwin(of: halved.windows[first], shiftedBy: distance)
                    continue
                }
                firsts[phase] = index
            }
            let end = min(window.end / 2 + 1, count)
            halved.appendWindow(of: start..<end) { append(window, overHalf: count, from: start, to: end, into: &$0) }
        }
        return halved
    }

    /// Converts the weights of a window over the enlarged line to weights of the samples `start..<end` of the original
    /// line, and appends them.
    private func append(
        _ window: Window, overHalf count: Int, from start: Int, to end: Int, into halved: inout [Double]
    ) {
        let offset = halved.count - start
        for _ in start..<end { halved.append(0) }
        for (place, weight) in zip(window.start..., weights(of: window)) {
            let near = place / 2
            let far = min(max(place.isMultiple(of: 2) ? near - 1 : near + 1, 0), count - 1)
            halved[offset + near] += 0.75 * weight
            halved[offset + far] += 0.25 * weight
        }
    }

    /// The resampling windows for the vertical kernel of planes, which processes groups of eight rows, called octets.
    struct Octets {
        /// Per target row: the first octet, the number of octets, and the offset of the coefficients (eight per octet).
        let windows: [(octet: Int, count: Int, offset: Int)]
        let coefficients: [Int16]
        let precision: Int32
    }

    func octets() -> Octets {
        let precision = precision
        var shared = SharedCoefficients<Int16>(count: phaseCount * 8)
        var rows: [Int16] = []
        let placed = windows.map { window in
            let octet = window.start / 8
            let count = (window.end + 7) / 8 - octet
            let lead = window.start - octet * 8
            let offset = shared.offset(of: window.phase * 8 + lead) { coefficients in
                rows.removeAll(keepingCapacity: true)
                appendQuantized(window, lead: lead, count: count * 8, precision: precision, to: &rows)
                for first in stride(from: 0, to: rows.count, by: 8) {
                    // The order in which the horizontal kernel leaves the rows of an octet.
                    for row in 0..<4 {
                        coefficients.append(rows[first + row])
                        coefficients.append(rows[first + row + 4])
                    }
                }
            }
            return (octet: octet, count: count, offset: offset)
        }
        return Octets(windows: placed, coefficients: shared.values, precision: precision)
    }
}
