/// A line with a bar, which is redrawn repeatedly during an operation.
@MainActor
enum ProgressLine {
    /// Runs `body`, and draws the text that `text` returns for a number of columns until `body` has ended.
    static func showing<Value: Sendable>(
        _ text: @escaping @MainActor (Int) -> String, during body: @MainActor () async throws -> Value
    ) async rethrows -> Value {
        let drawing = Task { @MainActor in
            // Waits before the first drawing, so that short operations do not flicker; then draws at most twenty times
            // a second.
            while (try? await Task.sleep(for: .milliseconds(50))) != nil, !Task.isCancelled {
                Terminal.draw(text(Terminal.width))
            }
        }
        defer {
            drawing.cancel()
            Terminal.clear()
        }
        return try await body()
    }

    /// Returns `beginning [=======> ] end`, in at most `width` columns; only the beginning if they are too few for a
    /// bar.
    static func text(_ beginning: String, part: Double, _ end: String, width: Int) -> String {
        let room = min(40, width - beginning.count - end.count - "  []  ".count)
        guard room >= 5 else { return String(beginning.prefix(width)) }
        let filled = Int(Double(room) * min(1, part))
        var bar = String(repeating: "=", count: filled)
        if filled < room { bar += ">" }
        return "\(beginning)  [\(bar.padded(to: room))]  \(end)"
    }
}
