import CalotypeStandard

/// How far some loads have come, in a line that is drawn again and again.
@MainActor
final class ProgressBar {
    private var isDone: [Bool]
    private var loads: [Int: LoadProgress] = [:]

    private init(count: Int) {
        isDone = Array(repeating: false, count: count)
    }

    /// Runs `body` with a bar for `count` loads, which is seen until `body` returns; with none where nobody would see
    /// it.
    static func showing(count: Int, _ body: @MainActor (ProgressBar?) async -> Void) async {
        guard Terminal.isThere else { return await body(nil) }
        let bar = ProgressBar(count: count)
        let drawing = Task { @MainActor in
            // Waits first, so that nothing flickers when all is done at once; then twenty times a second at most.
            while (try? await Task.sleep(for: .milliseconds(50))) != nil, !Task.isCancelled {
                Terminal.draw(bar.line(width: Terminal.width))
            }
        }
        await body(bar)
        drawing.cancel()
        Terminal.clear()
    }

    /// Says how far a load has come.
    func report(_ progress: LoadProgress, of index: Int) { loads[index] = progress }

    /// Says that a load has ended, well or not.
    func finish(_ index: Int) { isDone[index] = true }

    /// The line: `3/10  [=======>                ]  45.2 MB of 98.1 MB`, in at most `width` columns.
    private func line(width: Int) -> String {
        let done = isDone.filter { $0 }.count
        var parts = Double(done)
        for (index, progress) in loads where !isDone[index] {
            // Half for the bytes, half for what is made of them.
            parts += (progress.fraction ?? 0) / 2
        }
        let count = "\(done)/\(isDone.count)"
        let bytes = self.bytes
        let room = min(40, width - count.count - bytes.count - "  []  ".count)
        guard room >= 5 else { return String(count.prefix(width)) }
        let filled = Int(Double(room) * min(1, parts / Double(max(1, isDone.count))))
        var bar = String(repeating: "=", count: filled)
        if filled < room { bar += ">" }
        return "\(count)  [\(bar.padded(to: room))]  \(bytes)"
    }

    /// The bytes that have arrived, and of how many, where each source that is not done has told.
    private var bytes: String {
        var (arrived, expected, isKnown) = (0, 0, true)
        for (index, isDone) in isDone.enumerated() {
            let progress = loads[index]
            let count = progress?.byteCount ?? 0
            arrived += count
            if isDone {
                expected += count
            } else if let announced = progress?.expectedByteCount {
                // A source may have announced too little.
                expected += max(announced, count)
            } else {
                isKnown = false
            }
        }
        let text = Quantity.bytes(arrived)
        return isKnown && expected > arrived ? "\(text) of \(Quantity.bytes(expected))" : text
    }
}
