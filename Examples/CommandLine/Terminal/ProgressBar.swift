import CalotypeStandard

/// The progress of several loads, in a line that is redrawn repeatedly.
@MainActor
final class ProgressBar {
    private var isDone: [Bool]
    private var loads: [Int: LoadProgress] = [:]

    private init(count: Int) {
        isDone = Array(repeating: false, count: count)
    }

    /// Runs `body` with a bar for `count` loads, which is shown until `body` returns; with nil if there is no terminal.
    static func showing(count: Int, _ body: @MainActor (ProgressBar?) async -> Void) async {
        guard Terminal.isThere else { return await body(nil) }
        let bar = ProgressBar(count: count)
        await ProgressLine.showing {
            bar.line(width: $0)
        } during: {
            await body(bar)
        }
    }

    /// Updates the progress of a load.
    func report(_ progress: LoadProgress, of index: Int) { loads[index] = progress }

    /// Marks a load as finished, successfully or not.
    func finish(_ index: Int) { isDone[index] = true }

    /// Returns the line `3/10 [=======> ] 45.2 MB of 98.1 MB`, in at most `width` columns.
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

    /// The number of received bytes, and of expected bytes if each unfinished source has announced its length.
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
