/// A line with a bar, which is drawn again and again while something goes on.
@MainActor
enum ProgressLine {
    /// Runs `body`, and draws what `text` makes of a number of columns until `body` has ended, well or not.
    static func showing<Value: Sendable>(
        _ text: @escaping @MainActor (Int) -> String, during body: @MainActor () async throws -> Value
    ) async rethrows -> Value {
        let drawing = Task { @MainActor in
            // Waits first, so that nothing flickers when all is done at once; then twenty times a second at most.
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

    /// `beginning  [=======>                ]  end`, in at most `width` columns; the beginning alone where that is too
    /// few for a bar.
    static func text(_ beginning: String, part: Double, _ end: String, width: Int) -> String {
        let room = min(40, width - beginning.count - end.count - "  []  ".count)
        guard room >= 5 else { return String(beginning.prefix(width)) }
        let filled = Int(Double(room) * min(1, part))
        var bar = String(repeating: "=", count: filled)
        if filled < room { bar += ">" }
        return "\(beginning)  [\(bar.padded(to: room))]  \(end)"
    }
}
