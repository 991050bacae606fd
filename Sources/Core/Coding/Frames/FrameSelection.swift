/// The frames of an animation that a request keeps if it limits their rate or number.
struct FrameSelection: Sendable {
    /// The indices of the frames that are kept, in order; the first frame is always among them.
    let indices: [Int]
    /// The time for which each kept frame is shown. A kept frame is shown until the next kept frame begins.
    let durations: [Duration]

    /// Creates a selection from the durations of all frames. Returns nil if the context keeps all frames.
    init?(of durations: @autoclosure () -> [Duration], by context: ResolvedContext) {
        let (rate, count) = (context[.frameRate], context[.frameCount].map { max(1, $0) })
        guard rate != nil || count != nil else { return nil }
        // The durations are clamped, so that their sums do not overflow.
        let durations = durations().map { min(max($0, .zero), Self.maxDuration) }
        guard durations.count > 1 else { return nil }
        var indices = Array(durations.indices)
        if let rate, rate > 0 {
            // Repeated until no frame is left out, so that reading the written animation at the same rate keeps all its
            // frames.
            while true {
                let shown = Self.durations(of: indices, in: durations)
                let kept = Self.indices(showing: min(rate, Self.maxRate), of: shown)
                guard kept.count < indices.count else { break }
                indices = kept.map { indices[$0] }
            }
        }
        if let count, count < indices.count { indices = Self.spread(count, over: indices, showing: durations) }
        guard indices.count < durations.count else { return nil }
        self.indices = indices
        self.durations = Self.durations(of: indices, in: durations)
    }

    /// Returns the time that each of the frames at `indices` is shown if the frames between them are left out.
    private static func durations(of indices: [Int], in durations: [Duration]) -> [Duration] {
        indices.indices.map { place in
            let next = place + 1 < indices.count ? indices[place + 1] : durations.count
            return durations[indices[place]..<next].reduce(.zero, +)
        }
    }

    /// The longest duration of a frame: more than a hundred years.
    private static let maxDuration = Duration.seconds(1 << 32)

    /// The largest ``ContextKey/frameRate`` that has an effect, in frames per second: one frame per millisecond.
    static let maxRate = 1000.0

    /// Returns the indices of the frames to keep, so that about `rate` frames are shown in each second.
    ///
    /// Each kept frame sets the time at which the next one is due. A frame is kept if it ends at least a quarter of an
    /// interval (`1 / rate` seconds) after that time. With this tolerance, a file with rounded times, such as a GIF,
    /// keeps all its frames at its own rate. A frame that is shown for about an interval or longer is always kept.
    private static func indices(showing rate: Double, of durations: [Duration]) -> [Int] {
        let interval = 1 / rate
        var (kept, end, due) = ([Int](), 0.0, 0.0)
        for (index, duration) in durations.enumerated() {
            end += duration.seconds
            guard index == 0 || duration.seconds >= 0.98 * interval || end >= due + interval / 4 else { continue }
            kept.append(index)
            due = max(due + interval, end)
        }
        return kept
    }

    /// Returns `count` of the frames at `indices`, evenly spread. They include the last frame if it is shown for more
    /// than twice as long as the others on average.
    private static func spread(_ count: Int, over indices: [Int], showing durations: [Duration]) -> [Int] {
        let others = durations.dropLast().reduce(Duration.zero, +)
        let isHeld = count > 1 && durations[durations.count - 1] * (durations.count - 1) > others * 2
        return (0..<count).map { place in
            indices[isHeld ? place * (indices.count - 1) / (count - 1) : place * indices.count / count]
        }
    }
}
