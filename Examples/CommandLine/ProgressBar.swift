import CalotypeStandard

/// How far some loads have come, in a line that is drawn again and again.
final class ProgressBar: Sendable {
    private struct State {
        var isDone: [Bool]
        var loads: [Int: LoadProgress] = [:]
    }

    private let state: Lock<State>

    private init(count: Int) {
        state = Lock(State(isDone: Array(repeating: false, count: count)))
    }

    /// Runs `body` with a bar for `count` loads, which is seen until `body` returns; with none where nobody would see it.
    static func showing(count: Int, on console: Console, _ body: (ProgressBar?) async -> Void) async {
        guard Terminal.isThere else { return await body(nil) }
        let bar = ProgressBar(count: count)
        let drawing = Task {
            // Waits first, so that nothing flickers when all is done at once; then twenty times a second at most.
            while (try? await Task.sleep(for: .milliseconds(50))) != nil {
                console.draw(bar.line(width: Terminal.width))
            }
        }
        await body(bar)
        drawing.cancel()
        console.endDrawing()
    }

    /// Says how far a load has come.
    func report(_ progress: LoadProgress, of index: Int) {
        state.withLock { $0.loads[index] = progress }
    }

    /// Says that a load has ended, well or not.
    func finish(_ index: Int) {
        state.withLock { $0.isDone[index] = true }
    }

    /// The line: `3/10  [=======>                ]  45.2 MB`, in at most `width` columns.
    func line(width: Int) -> String {
        let (isDone, loads) = state.withLock { ($0.isDone, $0.loads) }
        let done = isDone.filter { $0 }.count
        let under = loads.reduce(0.0) { $0 + (isDone[$1.key] ? 0 : $1.value.fraction ?? 0) }
        let fraction = min(1, (Double(done) + under) / Double(max(1, isDone.count)))
        let count = "\(done)/\(isDone.count)"
        let bytes = Quantity.bytes(loads.values.reduce(0) { $0 + $1.byteCount })
        let room = min(40, width - count.count - bytes.count - "  []  ".count)
        guard room >= 5 else { return String(count.prefix(width)) }
        let filled = Int(Double(room) * fraction)
        var bar = String(repeating: "=", count: filled)
        if filled < room { bar += ">" }
        return "\(count)  [\(bar.padded(to: room))]  \(bytes)"
    }
}
