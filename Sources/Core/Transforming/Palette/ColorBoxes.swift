/// A division of the colors of a histogram into boxes of similar colors.
///
/// Source: Xiaolin Wu, "Efficient Statistical Computations for Optimal Color Quantization", Graphics Gems II, 1991.
struct ColorBoxes {
    /// A part of the histogram: the bins above the lower bounds, up to and including the upper bounds.
    private struct Box {
        var lower = SIMD3<Int>()
        var upper = SIMD3<Int>(repeating: ColorHistogram.side)
        /// The sum of the squared distances of the box's colors from their mean.
        var error = 0.0

        /// Whether the box is a single bin, which cannot be divided.
        var isOne: Bool { upper &- lower == SIMD3(repeating: 1) }
    }

    /// The totals of the counts, sums and squares of several bins.
    private struct Moments {
        var count = 0
        var sums = SIMD3<Int>()
        var squares = 0

        static func += (one: inout Moments, other: Moments) {
            one.count += other.count
            one.sums &+= other.sums
            one.squares += other.squares
        }

        static func -= (one: inout Moments, other: Moments) {
            one.count -= other.count
            one.sums &-= other.sums
            one.squares -= other.squares
        }

        /// The squared length of the vector `sums`, divided by `count`; 0 if there are no colors.
        ///
        /// The error of a box is `squares` minus this weight, so the best division has the largest sum of weights.
        var weight: Double {
            guard count > 0 else { return 0 }
            let sums = SIMD3<Double>(sums)
            return (sums * sums).sum() / Double(count)
        }
    }

    private static let side = ColorHistogram.side + 1
    private var moments: [Moments]

    /// Computes the moments of the bins of a ``ColorHistogram``.
    init(_ bins: [ColorHistogram.Bin]) {
        let side = Self.side
        moments = [Moments](repeating: Moments(), count: side * side * side)
        // Each entry has the sums of all bins before it in each direction.
        var areas = [Moments](repeating: Moments(), count: side)
        for red in 1..<side {
            for index in areas.indices { areas[index] = Moments() }
            for green in 1..<side {
                var line = Moments()
                for blue in 1..<side {
                    let bin = bins[ColorHistogram.index(SIMD3(red - 1, green - 1, blue - 1))]
                    line += Moments(count: bin.count, sums: bin.sums, squares: bin.squares)
                    areas[blue] += line
                    var made = moments[Self.index(red - 1, green, blue)]
                    made += areas[blue]
                    moments[Self.index(red, green, blue)] = made
                }
            }
        }
    }

    private static func index(_ red: Int, _ green: Int, _ blue: Int) -> Int { (red * side + green) * side + blue }

    /// Divides the colors into at most `count` boxes, and returns the mean color of each box.
    func means(_ count: Int) -> [SIMD3<Double>] {
        var boxes = [Box()]
        boxes[0].error = error(of: boxes[0])
        while boxes.count < count {
            guard let worst = boxes.indices.max(by: { boxes[$0].error < boxes[$1].error }), boxes[worst].error > 0
            else {
                break
            }
            if let (one, other) = halves(of: boxes[worst]) {
                boxes[worst] = one
                boxes.append(other)
            } else {
                boxes[worst].error = 0
            }
        }
        return boxes.compactMap { box in
            let sum = moments(of: box)
            return sum.count > 0 ? SIMD3<Double>(sum.sums) / Double(sum.count) : nil
        }
    }

    private func moments(of box: Box) -> Moments {
        let (low, high) = (box.lower, box.upper)
        var sum = moments[Self.index(high.x, high.y, high.z)]
        sum -= moments[Self.index(high.x, high.y, low.z)]
        sum -= moments[Self.index(high.x, low.y, high.z)]
        sum -= moments[Self.index(low.x, high.y, high.z)]
        sum += moments[Self.index(high.x, low.y, low.z)]
        sum += moments[Self.index(low.x, high.y, low.z)]
        sum += moments[Self.index(low.x, low.y, high.z)]
        sum -= moments[Self.index(low.x, low.y, low.z)]
        return sum
    }

    private func error(of box: Box) -> Double {
        guard !box.isOne else { return 0 }
        let sum = moments(of: box)
        return Double(sum.squares) - sum.weight
    }

    /// Returns the best division of a box into two parts, or nil if no division has colors in both parts.
    private func halves(of box: Box) -> (Box, Box)? {
        let whole = moments(of: box)
        var best: (weight: Double, axis: Int, place: Int)?
        for axis in 0..<3 {
            for place in box.lower[axis] + 1..<max(box.upper[axis], box.lower[axis] + 1) {
                var part = box
                part.upper[axis] = place
                let one = moments(of: part)
                var other = whole
                other -= one
                guard one.count > 0, other.count > 0 else { continue }
                let weight = one.weight + other.weight
                if weight > best?.weight ?? 0 { best = (weight, axis, place) }
            }
        }
        guard let best else { return nil }
        var (one, other) = (box, box)
        one.upper[best.axis] = best.place
        other.lower[best.axis] = best.place
        one.error = error(of: one)
        other.error = error(of: other)
        return (one, other)
    }
}
