import CalotypeStandard

/// A progress bar for several loads, in a line that is redrawn repeatedly.
@MainActor
final class ProgressBar {
    private var isDone: [Bool]
    private var loads: [Int: LoadProgress] = [:]

    private init(count: Int) {
        isDone = Array(repeating: false, count: count)
    }

    /// Runs `body` and shows a bar for `count` loads until it returns. If standard error is not a terminal, `body`
    /// receives nil instead of a bar.
    static func showing(count: Int, _ body: @MainActor (ProgressBar?) async -> Void) async {
        guard Terminal.isThere else { return await body(nil) }
        let bar = ProgressBar(count: count)
        await ProgressLine.showing {
            bar.line(width: $0)
        } during: {
            await body(bar)
        }
    }

    /// Updates the progress of the load with an index.
    func report(_ progress: LoadProgress, of index: Int) { loads[index] = progress }

    /// Marks the load with an index as finished, successfully or not.
    func finish(_ index: Int) { isDone[index] = true }

    /// Returns a line such as `3/10 [=======> ] 45.2 MB of 98.1 MB`, of at most `width` characters.
    private func line(width: Int) -> String {
        let done = isDone.filter { $0 }.count
        var parts = Double(done)
        for (index, progress) in loads where !isDone[index] {
            // Half for the bytes, half for decoding.
            parts += (progress.fraction ?? 0) / 2
        }
        return ProgressLine.text(
            "\(done)/\(isDone.count)", part: parts / Double(max(1, isDone.count)), bytes, width: width)
    }

    /// The number of received bytes, for people. Includes the number of expected bytes if every unfinished load has
    /// announced its length.
    private var bytes: String {
        var (arrived, expected, isKnown) = (0, 0, true)
        for (index, isDone) in isDone.enumerated() {
            let progress = loads[index]
            let count = progress?.byteCount ?? 0
            arrived += count
            if isDone {
                expected += count
            } else if let announced = progress?.expectedByteCount {
                // A source may have announced too few bytes.
                expected += max(announced, count)
            } else {
                isKnown = false
            }
        }
        let text = Quantity.bytes(arrived)
        return isKnown && expected > arrived ? "\(text) of \(Quantity.bytes(expected))" : text
    }
}
