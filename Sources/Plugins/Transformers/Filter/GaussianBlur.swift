import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A blur whose weights are those of the normal distribution. Pixels beyond the edge equal the nearest pixel of the
/// edge.
///
/// A wide blur consists of two narrower ones, because the variances of successive blurs add up: the first makes a small
/// picture of samples that lie `step` pixels apart, and the second enlarges it again. The time is therefore about the
/// same for every width.
struct GaussianBlur {
    /// The standard deviation in pixels, above 0.
    let sigma: Double

    /// The accuracy of a blur, for the depth of the levels.
    private struct Accuracy {
        /// The distance at which weights are cut off, in standard deviations.
        let reach: Double
        /// The least standard deviation of the whole blur, in distances between samples. The largest error in the
        /// response to a frequency is exp(-(pi * ratio)^2 / 2).
        let ratio: Double

        init(_ format: PixelFormat) {
            // 8 bits: the weights beyond are 0.3 % of all, and the response is right to 0.1 %. Otherwise: 0.003 % and
            // 0.0003 %.
            (reach, ratio) = format == .rgba8 ? (3, 1.2) : (4.2, 1.6)
        }
    }

    /// Returns blurred pixels of the same format.
    func applied(to pixels: PixelBuffer, job: Job) throws(ImageError) -> PixelBuffer {
        let accuracy = Accuracy(pixels.format)
        let step = Int(max(1, min(sigma / accuracy.ratio, 4096)))
        guard step > 2 else {
            func windows(_ length: Int) -> ResamplingWindows {
                .sampling(length: length, at: SamplePlaces(start: 0, step: 1, count: length), sigma, accuracy.reach)
            }
            return try pixels.resampled(columns: windows(pixels.width), rows: windows(pixels.height), job: job)
        }
        let half = sigma / 2.0.squareRoot()
        func places(_ length: Int) -> SamplePlaces {
            SamplePlaces(covering: length, step: step, margin: half * accuracy.reach)
        }
        let (columns, rows) = (places(pixels.width), places(pixels.height))
        let samples = try pixels.resampled(
            columns: .sampling(length: pixels.width, at: columns, half, accuracy.reach),
            rows: .sampling(length: pixels.height, at: rows, half, accuracy.reach), job: job)
        return try samples.resampled(
            columns: .interpolating(columns, length: pixels.width, half, accuracy.reach),
            rows: .interpolating(rows, length: pixels.height, half, accuracy.reach), job: job)
    }
}

/// The places of equally distant samples along a line of pixels. Some lie beyond its ends.
private struct SamplePlaces {
    /// The place of the first sample. Place 0 is the middle of the first pixel.
    let start: Double
    /// The distance between samples, in pixels.
    let step: Int
    let count: Int

    init(start: Double, step: Int, count: Int) {
        self.start = start
        self.step = step
        self.count = count
    }

    /// Creates places for all samples within `margin` of a line.
    init(covering length: Int, step: Int, margin: Double) {
        // One more for the sample just beyond the reach of the first pixel.
        let before = Int((margin / Double(step)).rounded(.up)) + 1
        // The samples are centered, so that a mirrored picture gives a mirrored result.
        let inside = (length + step - 1) / step
        let offset = (Double(length - 1) - Double((inside - 1) * step)) / 2
        self.init(start: offset - Double(before * step), step: step, count: inside + 2 * before)
    }

    subscript(index: Int) -> Double { start + Double(index * step) }
}

extension ResamplingWindows {
    /// Returns windows for samples of a line, each blurred by `sigma`.
    fileprivate static func sampling(
        length: Int, at places: SamplePlaces, _ sigma: Double, _ reach: Double
    ) -> ResamplingWindows {
        var made = ResamplingWindows(capacity: places.count)
        var inner: Int?
        for index in 0..<places.count {
            let center = places[index]
            let (first, last) = taps(around: center, sigma * reach)
            let isInside = first >= 0 && last < length
            if isInside, let inner {
                made.appendTwin(of: made.windows[inner], shiftedBy: (index - inner) * places.step)
                continue
            }
            if isInside { inner = index }
            let (start, end) = (min(max(first, 0), length - 1), min(max(last, 0), length - 1))
            made.appendWindow(of: start..<end + 1) { weights in
                let offset = weights.count - start
                for _ in start...end { weights.append(0) }
                // What lies beyond an end adds to the weight of the last pixel there.
                for place in first...last {
                    weights[offset + min(max(place, start), end)] += weight(of: Double(place) - center, sigma)
                }
            }
        }
        return made
    }

    /// Returns windows that blur samples by `sigma` and make a line of `length` pixels of them.
    fileprivate static func interpolating(
        _ places: SamplePlaces, length: Int, _ sigma: Double, _ reach: Double
    ) -> ResamplingWindows {
        var made = ResamplingWindows(capacity: length)
        let step = Double(places.step)
        for pixel in 0..<length {
            if pixel >= places.step {
                made.appendTwin(of: made.windows[pixel - places.step], shiftedBy: 1)
                continue
            }
            let center = (Double(pixel) - places.start) / step
            let (first, last) = taps(around: center, sigma / step * reach)
            made.appendWindow(of: first..<last + 1) { weights in
                for sample in first...last { weights.append(weight(of: Double(sample) - center, sigma / step)) }
            }
        }
        return made
    }

    /// Returns the first and the last pixel within `reach` of a place, or just beyond. Without those beyond, a narrow
    /// blur would lose its neighbors.
    private static func taps(around center: Double, _ reach: Double) -> (first: Int, last: Int) {
        (Int((center - reach).rounded(.down)), Int((center + reach).rounded(.up)))
    }
}

/// Returns the weight at a distance from the middle of the normal distribution, where it is 1.
private func weight(of distance: Double, _ sigma: Double) -> Double {
    // Divided first: the square of a tiny standard deviation is 0.
    let deviations = distance / sigma
    return exp(-deviations * deviations / 2)
}
