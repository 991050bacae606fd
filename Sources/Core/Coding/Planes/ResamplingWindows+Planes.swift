extension ResamplingWindows {
    /// The windows over a line of `count` samples which make of it what these make of that line enlarged to twice as
    /// many, or one less.
    ///
    /// Enlarged as libjpeg enlarges chroma ("fancy upsampling"): of each sample come two, three quarters of it and a
    /// quarter of its neighbour on that side; at the ends all of it. So nothing has to be enlarged, and the picture is
    /// the same.
    func overHalf(_ count: Int) -> ResamplingWindows {
        // Windows of one phase stay alike where they begin at an even sample, and where at an odd one, but not at ends.
        var known = [[Double]?](repeating: nil, count: phaseCount * 2)
        var endCount = 0
        let halved = windows.map { window in
            let start = max(0, (window.start - 1) >> 1)
            guard window.start > 0, window.end < count * 2 else {
                defer { endCount += 1 }
                let weights = Self.weights(of: window, from: start, overHalf: count)
                return Window(start: start, weights: weights, phase: phaseCount * 2 + endCount)
            }
            let phase = window.phase * 2 + (window.start & 1)
            let weights = known[phase] ?? Self.weights(of: window, from: start, overHalf: count)
            known[phase] = weights
            return Window(start: start, weights: weights, phase: phase)
        }
        return ResamplingWindows(windows: halved, phaseCount: phaseCount * 2 + endCount)
    }

    private static func weights(of window: Window, from start: Int, overHalf count: Int) -> [Double] {
        let end = min(window.end / 2 + 1, count)
        var weights = [Double](repeating: 0, count: end - start)
        for (place, weight) in zip(window.start..., window.weights) {
            let near = place / 2
            let far = min(max(place.isMultiple(of: 2) ? near - 1 : near + 1, 0), count - 1)
            weights[near - start] += 0.75 * weight
            weights[far - start] += 0.25 * weight
        }
        return weights
    }

    /// As the vertical kernel of planes wants them: windows over octets, groups of eight rows.
    struct Octets {
        /// For each target row: the first octet, the number of octets, and where its coefficients are, eight for each.
        var windows: [(octet: Int, count: Int, offset: Int)] = []
        var coefficients: [Int16] = []
        let precision: Int32
    }

    func octets() -> Octets {
        var table = Octets(precision: precision)
        for window in windows {
            let octet = window.start / 8
            let count = (window.end + 7) / 8 - octet
            table.windows.append((octet, count, table.coefficients.count))
            var rows = [Int16](repeating: 0, count: window.start - octet * 8)
            rows += Self.quantize(window.weights, precision: table.precision)
            rows += repeatElement(0, count: count * 8 - rows.count)
            for first in stride(from: 0, to: rows.count, by: 8) {
                // The order in which the horizontal kernel leaves the rows of an octet.
                for row in [0, 4, 1, 5, 2, 6, 3, 7] { table.coefficients.append(rows[first + row]) }
            }
        }
        return table
    }
}
