import CalotypeStandard

/// Prints failures that do not stop a request, such as a cache that cannot be written to.
///
/// Each kind of failure is printed once, since a hundred sources that cannot be cached have one cause. It can be called
/// from any thread, and prints on the main actor, in order.
final class WarningPrinter: EventListener {
    /// A line, and the kind of its failure; nil for a line that is always printed.
    private typealias Warning = (text: String, kind: String?)

    private let warnings: AsyncStream<Warning>.Continuation
    private let printing: Task<Void, Never>

    @MainActor
    init(_ console: Console) {
        let (stream, continuation) = AsyncStream.makeStream(of: Warning.self)
        warnings = continuation
        printing = Task { @MainActor in
            var told: Set<String> = []
            for await (text, kind) in stream {
                let isNew = kind.map { told.insert($0).inserted } ?? true
                if isNew { console.complain("warning: \(text)") }
            }
        }
    }

    func received(_ event: PipelineEvent) {
        switch event.kind {
        case .issue(let error): warn(of: error, retriedAfter: event.retryDelay)
        case .lost(let count):
            let events = Quantity.count(count, "event")
            warnings.yield(("\(events) dropped because too many came at once; some warnings may be missing", nil))
        default: break
        }
    }

    /// Prints a failure soon, unless an equal one was printed.
    /// - Parameter delay: The time until the failed operation is retried; nil if it is not.
    func warn(of error: ImageError, retriedAfter delay: Duration? = nil) {
        let next = delay.map { "; retrying in \(Quantity.tenths($0.seconds)) s" } ?? ""
        warnings.yield(("\(error)\(next)", Console.describe(error)))
    }

    /// Waits until all warnings are printed. No warnings can follow.
    func finish() async {
        warnings.finish()
        await printing.value
    }
}
