/// A line with a progress bar, which is redrawn repeatedly during an operation.
@MainActor
enum ProgressLine {
    /// Runs an operation, and draws a line repeatedly until the operation ends.
    /// - Parameters:
    ///   - text: Returns the line to draw, for a number of columns.
    ///   - body: The operation.
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

    /// Returns a line such as `beginning [=======> ] end`. If there are too few columns for a bar, returns only the
    /// beginning.
    /// - Parameters:
    ///   - beginning: The text before the bar.
    ///   - part: The progress, from 0 to 1.
    ///   - end: The text after the bar.
    ///   - width: The maximum length of the line, in columns.
    static func text(_ beginning: String, part: Double, _ end: String, width: Int) -> String {
        let room = min(40, width - beginning.count - end.count - "  []  ".count)
        guard room >= 5 else { return String(beginning.prefix(width)) }
        let filled = Int(Double(room) * min(1, part))
        var bar = String(repeating: "=", count: filled)
        if filled < room { bar += ">" }
        return "\(beginning)  [\(bar.padded(to: room))]  \(end)"
    }
}
